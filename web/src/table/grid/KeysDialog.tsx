import "@mantine/core/styles/Switch.layer.css";
import { Group, Modal, Switch, Text } from "@mantine/core";
import { KeyHint } from "../../ui/KeyHint.tsx";
import type { TableSettings } from "../columns/use-table-preferences.ts";

const KEYS: { keys: string[]; meaning: string }[] = [
  { keys: ["↑", "↓"], meaning: "Move from row to row" },
  { keys: ["← →"], meaning: "Move from cell to cell in the row; Enter presses the cell’s link or button" },
  { keys: ["Page Up", "Page Down"], meaning: "Move by a screen" },
  { keys: ["Home", "End"], meaning: "First and last row" },
  { keys: ["Enter"], meaning: "Open the card; in it, ↑ and ↓ or J and K show the other cards" },
  { keys: ["Space"], meaning: "Show the photos large" },
  { keys: ["S"], meaning: "Swap front and back" },
  { keys: ["W"], meaning: "Show the history of the row" },
  { keys: ["C"], meaning: "Copy the cert number" },
  { keys: ["P"], meaning: "Show the prices and sales" },
  { keys: ["R"], meaning: "Retry a failed row" },
  { keys: ["E"], meaning: "Edit the number of a row that needs fixing or was not found" },
  { keys: ["H"], meaning: "Enter the card of a failed or waiting row by hand" },
  { keys: ["A"], meaning: "Needs review: do the suggested action" },
  { keys: ["L"], meaning: "Looks right: mark the row as reviewed; press again to undo" },
  { keys: ["U"], meaning: "Undo the last “looks right”" },
  { keys: ["X"], meaning: "Select the row, like Ctrl-click; Shift-click selects a range" },
  { keys: ["Shift", "↑ ↓"], meaning: "Select from row to row" },
  { keys: ["Ctrl", "A"], meaning: "Select all rows shown; Esc selects none" },
  { keys: ["D"], meaning: "Compact or comfortable rows" },
  { keys: ["← →", "Enter"], meaning: "On a column’s header: next column; sort by it" },
  {
    keys: ["← →", "↑ ↓"],
    meaning: "On the edge of a column’s header: change its width; next edge; Enter restores the width",
  },
  { keys: ["/"], meaning: "Find in these results" },
  { keys: ["+", "−", "0"], meaning: "In large photos: zoom" },
  { keys: ["← →"], meaning: "In large photos: front and back; move a zoomed picture" },
  { keys: ["Ctrl", "K"], meaning: "Search all scans, or run a command" },
  { keys: ["Esc"], meaning: "Clear the find box, close a dialog" },
  { keys: ["?"], meaning: "This list" },
];

type KeysDialogProps = Pick<TableSettings, "preferences" | "change"> & { opened: boolean; onClose: () => void };

export function KeysDialog({ opened, onClose, preferences, change }: KeysDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Keys" size={800}>
      <Switch
        mb="md"
        label="Single-key shortcuts"
        description="Turn them off if you use speech input or press keys by accident. Arrows, Space, Enter, Esc and Ctrl shortcuts keep working."
        checked={preferences.hasSingleKeys}
        onChange={({ currentTarget: { checked } }) => change((current) => ({ ...current, hasSingleKeys: checked }))}
      />
      <dl style={{ margin: 0, columns: "2 320px", columnGap: 32 }}>
        {KEYS.map(({ keys, meaning }) => (
          <Group key={meaning} gap={8} py={5} wrap="nowrap" align="baseline" style={{ breakInside: "avoid" }}>
            <Group component="dt" gap={5} w={148} flex="none" wrap="nowrap">
              {keys.map((key) => (
                <KeyHint key={key}>{key}</KeyHint>
              ))}
            </Group>
            <Text component="dd" m={0}>
              {meaning}
            </Text>
          </Group>
        ))}
      </dl>
    </Modal>
  );
}
