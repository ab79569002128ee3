import { useDebouncedValue } from "@mantine/hooks";

const AFTER_TABLE_MS = 100;

/** Delays a value that is slow to process for many rows until the table is drawn. */
export function useAfterTable<Value>(value: Value): Value {
  const [settled] = useDebouncedValue(value, AFTER_TABLE_MS);
  return settled;
}
