import { CHOSEN_PASSWORD_MESSAGES } from "@slabdesk/contract/api/people.ts";
import { describe, expect, it } from "vitest";
import { EMPTY_DRAFT, faultsOf, type PasswordDraft, type PasswordFaults } from "./PasswordForm.tsx";

const good: PasswordDraft = { currentPassword: "old one", newPassword: "secret word", repeated: "secret word" };

describe("faultsOf", () => {
  it.each<[string, PasswordDraft, boolean, PasswordFaults]>([
    ["nothing is wrong", good, true, {}],
    [
      "nothing was typed",
      EMPTY_DRAFT,
      true,
      {
        currentPassword: "Please enter your current password",
        newPassword: CHOSEN_PASSWORD_MESSAGES.short,
      },
    ],
    ["the current one is not asked for", { ...good, currentPassword: "" }, false, {}],
    [
      "nine characters are too few",
      { ...good, newPassword: "nine char", repeated: "nine char" },
      true,
      { newPassword: CHOSEN_PASSWORD_MESSAGES.short },
    ],
    ["the two differ", { ...good, repeated: "Secret word" }, true, { repeated: "The passwords don't match" }],
  ])("%s", (_name, draft, asksCurrent, faults) => {
    expect(faultsOf(draft, { asksCurrent })).toEqual(faults);
  });
});
