import { expect, test } from "vitest";
import { badgeOf, faviconUrl } from "./use-run-news.ts";
import { aSession } from "../../../run/session-factory.test-data.ts";

const damaged = { counts: { error: 1, completed: 2 }, causes: { invalid_number: 1 } } as const;

test.each([
  ["no session", null, false, { kind: "plain" }],
  ["a run", aSession({ processedCards: 1 }), false, { kind: "running", percent: 33, hasToFix: false }],
  [
    "a run with an invalid number",
    aSession({ processedCards: 1, ...damaged }),
    false,
    { kind: "running", percent: 33, hasToFix: true },
  ],
  ["an end nobody has seen", aSession({ status: "completed" }), true, { kind: "done" }],
  ["an unseen end that needs somebody", aSession({ status: "completed", ...damaged }), true, { kind: "to_fix" }],
  ["an end that was seen", aSession({ status: "completed", ...damaged }), false, { kind: "plain" }],
] as const)("the badge of %s", (_name, session, isNews, badge) => {
  expect(badgeOf(session, isNews)).toEqual(badge);
});

test("the icon is an SVG data URL, different for each badge; the plain icon stays a file", () => {
  expect(faviconUrl({ kind: "plain" })).toBeNull();
  const icons = [
    faviconUrl({ kind: "running", percent: 33, hasToFix: false }),
    faviconUrl({ kind: "running", percent: 34, hasToFix: false }),
    faviconUrl({ kind: "running", percent: 34, hasToFix: true }),
    faviconUrl({ kind: "done" }),
    faviconUrl({ kind: "to_fix" }),
  ];
  expect(new Set(icons).size).toBe(icons.length);
  for (const icon of icons) expect(icon).toMatch(/^data:image\/svg\+xml,%3Csvg[^<>"#\s]+%3C%2Fsvg%3E$/);
});

test("the ring shows the run's progress", () => {
  const dash = (percent: number): string | undefined =>
    /stroke-dasharray="([\d.]+) /.exec(
      decodeURIComponent(faviconUrl({ kind: "running", percent, hasToFix: false }) ?? ""),
    )?.[1];
  expect([dash(0), dash(50), dash(100)]).toEqual(["0.0", "37.7", "75.4"]);
});
