import type { Profile } from "@slabdesk/contract/api/people.ts";
import { describe, expect, it } from "vitest";
import { nameOf, usersWith } from "./user-messages.ts";

function user(change: Partial<Profile>): Profile {
  return {
    id: "u",
    email: "ana@shop.com",
    fullName: "Ana Ruiz",
    role: "user",
    isActive: true,
    totalScans: 0,
    totalCardsProcessed: 0,
    lastLogin: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    mustChangePassword: false,
    hasTwoStep: false,
    ...change,
  };
}

const ana = user({});
const ben = user({ email: "ben@fair.org", fullName: "Ben Ode", role: "admin", isActive: false });

describe("usersWith", () => {
  it.each([
    ["", [ana, ben]],
    ["  ", [ana, ben]],
    ["RUIZ", [ana]],
    ["fair", [ben]],
    ["ode ben", [ben]],
    ["admin", [ben]],
    ["inactive", [ben]],
    ["ana admin", []],
  ])("%s", (text, found) => {
    expect(usersWith([ana, ben], text)).toEqual(found);
  });
});

it("a user without a name is called by the email", () => {
  expect([nameOf(ana), nameOf(user({ fullName: " " }))]).toEqual(["Ana Ruiz", "ana@shop.com"]);
});
