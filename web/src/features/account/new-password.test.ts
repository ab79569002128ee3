import { describe, expect, it } from "vitest";
import { EMPTY_DRAFT, faultsOf, type PasswordDraft, type PasswordFaults } from "./new-password.ts";

const good: PasswordDraft = { currentPassword: "old one", newPassword: "secret", repeated: "secret" };

describe("faultsOf", () => {
  it.each<[string, PasswordDraft, boolean, PasswordFaults]>([
    ["nothing is wrong", good, true, {}],
    [
      "nothing was typed",
      EMPTY_DRAFT,
      true,
      {
        currentPassword: "Please enter your current password",
        newPassword: "Password must be at least 6 characters long",
      },
    ],
    ["the current one is not asked for", { ...good, currentPassword: "" }, false, {}],
    [
      "five characters are too few",
      { ...good, newPassword: "12345", repeated: "12345" },
      true,
      { newPassword: "Password must be at least 6 characters long" },
    ],
    ["the two differ", { ...good, repeated: "Secret" }, true, { repeated: "This is not the same password" }],
  ])("%s", (_name, draft, asksCurrent, faults) => {
    expect(faultsOf(draft, { asksCurrent })).toEqual(faults);
  });
});
