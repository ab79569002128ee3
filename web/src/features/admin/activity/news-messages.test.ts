import { expect, test } from "vitest";
import type { ActivityEntry, ActivityList } from "../../../api/activity-client.ts";
import { newsMessage } from "./news-messages.ts";

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
