import { useDebouncedValue } from "@mantine/hooks";

const AFTER_TABLE_MS = 100;

/** The value of a moment ago: for what takes long for many rows, so that the table is drawn first. */
export function useAfterTable<Value>(value: Value): Value {
  const [settled] = useDebouncedValue(value, AFTER_TABLE_MS);
  return settled;
}
