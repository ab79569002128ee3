import type { Profile } from "@slabdesk/contract/api/people.ts";
import { type SubmitEvent, useRef, useState } from "react";
import { changePassword } from "../../api/account.ts";
import { ApiError } from "../../api/errors.ts";
import { useAction } from "../../run/use-action.ts";
import { EMPTY_DRAFT, faultsOf, type PasswordFaults, type PasswordFields } from "./new-password.ts";

type PasswordChangeOptions = { asksCurrent: boolean; onChanged: (profile: Profile) => void };

/** State of the new-password form. Validates locally first, then shows the server's messages. */
export function usePasswordChange({ asksCurrent, onChanged }: PasswordChangeOptions) {
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [faults, setFaults] = useState<PasswordFaults>({});
  const formRef = useRef<HTMLFormElement>(null);
  const show = (found: PasswordFaults): void => {
    setFaults(found);
    const first = (["currentPassword", "newPassword", "repeated"] as const).find((field) => found[field] !== undefined);
    if (first !== undefined) formRef.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
  };
  const { run, isBusy, error, problem } = useAction({
    send: changePassword,
    onDone: (profile) => {
      setDraft(EMPTY_DRAFT);
      onChanged(profile);
    },
    onFailed: (refusal) => show(refusedFields(refusal)),
  });

  return {
    draft,
    faults,
    /** An error that belongs to no field. */
    problem: Object.keys(refusedFields(error)).length > 0 ? null : problem,
    isBusy,
    formRef,
    type: (field: PasswordFields, value: string) => {
      setDraft({ ...draft, [field]: value });
      const { [field]: _mended, ...others } = faults;
      setFaults(others);
    },
    submit: (event: SubmitEvent) => {
      event.preventDefault();
      const found = faultsOf(draft, { asksCurrent });
      show(found);
      if (Object.keys(found).length > 0) return;
      const { currentPassword, newPassword } = draft;
      run(asksCurrent ? { currentPassword, newPassword } : { newPassword });
    },
  };
}

function refusedFields(error: unknown): PasswordFaults {
  return error instanceof ApiError ? error.fields : {};
}
