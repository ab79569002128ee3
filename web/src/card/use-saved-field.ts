import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { type ChangeEvent, type KeyboardEvent, useRef, useState } from "react";
import { saveEdit } from "../run/session-requests.ts";
import { useAction } from "../run/use-action.ts";

type SavedFieldOptions = {
  row: ResultRow;
  name: "cost" | "offer" | "notes";
  /** The saved text. */
  stored: string;
  /** Why a text can't be saved; null if it can. */
  problemOf?: (typed: string) => string | null;
};

const everyOne = (): null => null;

/**
 * A text field that is saved when it is left, or on Enter. Esc restores the saved text. What could not be saved stays in
 * the field with its problem. Saves run one after another, so that the last one wins.
 */
export function useSavedField({ row, name, stored, problemOf }: SavedFieldOptions) {
  const [typed, setTyped] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [sent, setSent] = useState<string | null>(null);
  const last = useRef(Promise.resolve());
  const { run, isBusy, problem } = useAction<string>({
    send: (text) => {
      const save = (): Promise<void> => saveEdit(row.sessionId, { rowIds: [row.id], [name]: text });
      last.current = last.current.then(save, save);
      return last.current;
    },
    failure: () => ({ id: `edit-${row.id}-${name}`, title: `Couldn't save the ${name} of ${row.certNumber}` }),
    onDone: (_, text) => {
      setTyped((current) => (current?.trim() === text ? null : current));
    },
    keyOf: everyOne,
  });
  const restore = (): void => {
    setTyped(null);
    setRefusal(null);
  };
  const save = (): void => {
    if (typed === null) return;
    const text = typed.trim();
    const reason = problemOf?.(text) ?? null;
    if (reason !== null) setRefusal(reason);
    else if (text === stored) restore();
    else {
      setSent(text);
      run(text);
    }
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      save();
    } else if (event.key === "Escape") restore();
  };
  const isRefused = problem !== null && sent === typed?.trim();
  return {
    isBusy,
    isSaved: sent !== null && typed === null && !isBusy,
    inputProps: {
      value: typed ?? stored,
      error: refusal ?? (isRefused ? `Not saved: ${problem}. Press Enter to try again` : null),
      errorProps: { role: "alert" },
      // Esc restores the text and doesn't close the card.
      "data-keeps-escape": typed === null ? undefined : true,
      onKeyDown,
      onBlur: save,
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>): void => {
        setTyped(event.currentTarget.value);
        setRefusal(null);
      },
    },
  };
}
