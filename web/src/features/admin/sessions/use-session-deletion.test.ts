import { expect, test } from "vitest";
import { aSession } from "../../../run/session-factory.test-data.ts";
import { deletionMessage } from "./SessionsPanel.tsx";

const owner = { id: "u1", email: "ana@slabdesk.test", fullName: "Ana Ruiz" };

test("the question names the session, its owner, and what is deleted with it", () => {
  const { title, message } = deletionMessage({ ...aSession({ status: "completed", totalCards: 1_212 }), owner });
  expect(title).toBe("Delete “dallas-show.csv - Nov 21, 2026”?");
  expect(message).toBe("Ana Ruiz's session and its 1,212 results are deleted for everyone. This cannot be undone.");
});

test("a running session of a user without a name", () => {
  const { message } = deletionMessage({ ...aSession({ totalCards: 1 }), owner: { ...owner, fullName: "" } });
  expect(message).toContain("ana@slabdesk.test's session and its 1 result are deleted");
  expect(message).toContain("It is still running. Cards that are not looked up yet never will be.");
});
