import { describe, expect, it } from "vitest";
import { parsePlace, placeUrl, type Spot, type TabName } from "./place.ts";

const ID = "0b9d5a58-6f0e-4c7e-9d5e-0d5f3f6f7a11";

describe("the URL of a place", () => {
  it.each<[TabName, Spot, string]>([
    ["scanner", {}, "/"],
    ["scanner", { session: ID }, `/?session=${ID}`],
    ["dashboard", {}, "/?tab=dashboard"],
    ["dashboard", { session: ID, row: "12" }, `/?tab=dashboard&session=${ID}&row=12`],
    ["scanner", { session: ID, card: "12" }, `/?session=${ID}&card=12`],
    ["dashboard", { search: "a & b" }, "/?tab=dashboard&search=a+%26+b"],
    ["admin", { admin: "users", person: "p1" }, "/?tab=admin&admin=users&person=p1"],
  ])("of %s %j is %s, and leads back", (tab, spot, url) => {
    expect(placeUrl(tab, spot)).toBe(url);
    const found = parsePlace(url.slice(1));
    expect(found.tab).toBe(tab);
    expect(found.spot).toEqual({ ...found.spot, ...spot });
    expect(placeUrl(found.tab, found.spot)).toBe(url);
  });

  it.each([
    ["?tab=nowhere", "/"],
    ["?row=1%20OR%201", "/"],
    ["?tab=admin&admin=secrets", "/?tab=admin"],
    ["?tab=dashboard&search=%20%20", "/?tab=dashboard"],
    ["?utm_source=mail&session=", "/"],
  ])("ignores what no place can have: %s", (query, url) => {
    const { tab, spot } = parsePlace(query);
    expect(placeUrl(tab, spot)).toBe(url);
  });
});
