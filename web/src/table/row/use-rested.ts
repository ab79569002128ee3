import { useDebouncedValue } from "@mantine/hooks";
import { startTransition, useEffect, useState } from "react";

const REST_MS = 100;

/** Whether `what` has been in the document for a moment, so that rows scrolled past cost less. False for null. */
export function useRested(what: string | null): boolean {
  const [restedFor, setRestedFor] = useState<string | null>(null);
  useEffect(() => {
    if (what === null) return;
    const timer = setTimeout(() => startTransition(() => setRestedFor(what)), REST_MS);
    return () => clearTimeout(timer);
  }, [what]);
  return what !== null && restedFor === what;
}

/** Delays a value that is slow to process for many rows until the table is drawn. */
export const useAfterTable = <Value>(value: Value): Value => useDebouncedValue(value, REST_MS)[0];
