import { Menu, Text } from "@mantine/core";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { formatCount } from "../../ui/format-numbers.ts";

/** A menu item that does something with several rows, and says how many. */
export function RowsItem({ label, rows, onChoose }: { label: string; rows: RowsSnapshot; onChoose: () => void }) {
  const count = (
    <Text span c="dimmed" fz="xs">
      {formatCount(rows.length)}
    </Text>
  );
  return (
    <Menu.Item onClick={onChoose} rightSection={count}>
      {label}
    </Menu.Item>
  );
}
