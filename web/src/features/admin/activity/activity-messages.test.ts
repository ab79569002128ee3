import { ACTIVITY_TYPES } from "@slabdesk/contract/api/activity.ts";
import { expect, test } from "vitest";
import type { ActivityEntry, ActivityList } from "../../../api/activity.ts";
import { ACTIVITY_GROUPS, ACTIVITY_LABELS, metadataLines, newsMessage } from "./activity-messages.ts";

test("every type is an option with its own text", () => {
  expect(Object.values(ACTIVITY_GROUPS).flatMap(Object.keys).toSorted()).toEqual(ACTIVITY_TYPES.toSorted());
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
  ["counts", { done: 3 }, "Counts", '{"done":3}'],
  ["__", 1, "__", "1"],
])("an entry of %s: %j reads as %s: %s", (key, noted, name, value) => {
  expect(metadataLines({ [key]: noted })).toEqual([{ name, value }]);
});

test("readable names come before ids", () => {
  const lines = metadataLines({ ownerId: "u1", owner: "ana@slabdesk.test", sessionId: "s1", totalCards: 3 });
  expect(lines.map(({ name }) => name)).toEqual(["Owner", "Total cards", "Owner id", "Session id"]);
});

const entry = (id: string): ActivityEntry => ({
  id,
  userId: "u1",
  activityType: "navigation",
  description: "Navigated to Dashboard",
  metadata: {},
  timestamp: "2026-11-21T10:00:00Z",
  user: { email: "ana@slabdesk.test", fullName: "Ana Ruiz" },
});
const page = (ids: string[], nextCursor: string | null = null): ActivityList => ({
  activity: ids.map(entry),
  nextCursor,
});

test.each([
  [["3", "2"], page(["3", "2"]), null],
  [["3", "2"], page(["4", "3", "2"]), "1 new entry"],
  [["3", "2"], page(["6", "5", "4", "3"], "3"), "3 new entries"],
  [["3", "2"], page(["9", "8"], "8"), "2+ new entries"],
  [[], page([]), null],
  [[], page(["1"]), "1 new entry"],
])("the message for %j and the newest page: %#", (shown, newest, message) => {
  expect(newsMessage(page(shown), newest)).toBe(message);
});
