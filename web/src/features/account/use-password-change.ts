import type { Profile } from "@slabdesk/contract/api/people.ts";
import { useMutation } from "@tanstack/react-query";
import { type SubmitEvent, useRef, useState } from "react";
import { changePassword } from "../../api/account.ts";
import { errorMessage } from "../../api/error-messages.ts";
import { ApiError } from "../../api/errors.ts";
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
  const { mutate, isPending, error } = useMutation({
    mutationFn: changePassword,
    onSuccess: (profile) => {
      setDraft(EMPTY_DRAFT);
      onChanged(profile);
    },
    onError: (refusal) => show(refusedFields(refusal)),
  });

  return {
    draft,
    faults,
    /** An error that belongs to no field. */
    problem: error === null || Object.keys(refusedFields(error)).length > 0 ? null : errorMessage(error),
    isBusy: isPending,
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
      if (isPending || Object.keys(found).length > 0) return;
      const { currentPassword, newPassword } = draft;
      mutate(asksCurrent ? { currentPassword, newPassword } : { newPassword });
    },
  };
}

function refusedFields(error: unknown): PasswordFaults {
  return error instanceof ApiError ? error.fields : {};
}
