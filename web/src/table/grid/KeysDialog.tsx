import "@mantine/core/styles/Switch.layer.css";
import { Group, Kbd, Modal, Switch, Text } from "@mantine/core";
import type { TableSettings } from "../columns/use-table-preferences.ts";

const KEYS: [keys: string[], meaning: string][] = [
  [["↑", "↓"], "Move from row to row"],
  [["← →"], "Move from cell to cell in the row; Enter presses the cell’s link or button"],
  [["Page Up", "Page Down"], "Move by a screen"],
  [["Home", "End"], "First and last row"],
  [["Enter"], "Open the card; in it, ↑ and ↓ or J and K show the other cards"],
  [["Space"], "Show the photos large"],
  [["S"], "Swap front and back"],
  [["W"], "Show the history of the row"],
  [["C"], "Copy the cert number"],
  [["P"], "Show the prices and sales"],
  [["R"], "Retry a failed row"],
  [["E"], "Edit the number of a row that needs fixing or was not found"],
  [["H"], "Enter the card of a failed or waiting row by hand"],
  [["A"], "Needs review: do the suggested action"],
  [["L"], "Looks right: mark the row as reviewed; press again to undo"],
  [["U"], "Undo the last “looks right”"],
  [["X"], "Select the row, like Ctrl-click; Shift-click selects a range"],
  [["Shift", "↑ ↓"], "Select from row to row"],
  [["Ctrl", "A"], "Select all rows shown; Esc selects none"],
  [["D"], "Compact or comfortable rows"],
  [["← →", "Enter"], "On a column’s header: next column; sort by it"],
  [["← →", "↑ ↓"], "On the edge of a column’s header: change its width; next edge; Enter restores the width"],
  [["/"], "Find in these results"],
  [["+", "−", "0"], "In large photos: zoom"],
  [["← →"], "In large photos: front and back; when zoomed, move the view"],
  [["Ctrl", "K"], "Search all scans, or run a command"],
  [["Esc"], "Clear the find box, close a dialog"],
  [["?"], "This list"],
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
      <dl style={{ columns: "2 320px", columnGap: 32 }}>
        {KEYS.map(([keys, meaning]) => (
          <Group key={meaning} gap={8} py={5} wrap="nowrap" align="baseline" style={{ breakInside: "avoid" }}>
            <Group component="dt" gap={5} w={148} flex="none" wrap="nowrap">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </Group>
            <Text component="dd">{meaning}</Text>
          </Group>
        ))}
      </dl>
    </Modal>
  );
}
