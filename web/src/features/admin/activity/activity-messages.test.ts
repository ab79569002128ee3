import { ACTIVITY_TYPES } from "@slabdesk/contract/api/activity.ts";
import { expect, test } from "vitest";
import { ACTIVITY_GROUPS, ACTIVITY_LABELS, metadataLines } from "./activity-messages.ts";

test("every type is an option with its own text", () => {
  expect(ACTIVITY_GROUPS.flatMap(({ types }) => types).toSorted()).toEqual(ACTIVITY_TYPES.toSorted());
  expect(new Set(Object.values(ACTIVITY_LABELS)).size).toBe(ACTIVITY_TYPES.length);
});

test.each([
  ["sessionName", "dallas.csv", "Session name", "dallas.csv"],
  ["session_id", "s1", "Session id", "s1"],
  ["totalCards", 12_000, "Total cards", "12,000"],
  ["isActive", false, "Is active", "no"],
  ["from", null, "From", "none"],
  ["note", "", "Note", "empty"],
  ["companies", ["PSA", "CGC"], "Companies", "PSA, CGC"],
  ["figures", { done: 3 }, "Figures", '{"done":3}'],
  ["__", 1, "__", "1"],
])("an entry of %s: %j reads as %s: %s", (key, noted, name, value) => {
  expect(metadataLines({ [key]: noted })).toEqual([{ name, value }]);
});

test("readable names come before ids", () => {
  const lines = metadataLines({ ownerId: "u1", owner: "ana@slabdesk.test", sessionId: "s1", totalCards: 3 });
  expect(lines.map(({ name }) => name)).toEqual(["Owner", "Total cards", "Owner id", "Session id"]);
});
