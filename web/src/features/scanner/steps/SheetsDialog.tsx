import { Button, Checkbox, Group, Modal, Stack } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { many } from "../counts.ts";
import type { SheetQuestion } from "../sheet/sheet-work.ts";

type SheetsDialogProps = {
  question: Extract<SheetQuestion, { kind: "sheets" }>;
  isOpen: boolean;
  onClose: () => void;
  onUse: (names: string[]) => void;
  other: ReactNode;
};

/** Selects sheets of a workbook that has several candidates. Several sheets become one session. */
export function SheetsDialog({ question, isOpen, onClose, onUse, other }: SheetsDialogProps): ReactNode {
  const [names, setNames] = useState(() =>
    question.sheets.filter(({ certCount }) => certCount > 0).map(({ name }) => name),
  );
  return (
    <Modal opened={isOpen} onClose={onClose} title={`Which sheets of “${question.fileName}”?`} size="md">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (names.length > 0) onUse(names);
        }}
      >
        <Checkbox.Group aria-label="Sheets" value={names} onChange={setNames}>
          <Stack gap={10}>
            {question.sheets.map(({ name, certCount }) => (
              <Checkbox
                key={name}
                value={name}
                label={name}
                description={certCount === 0 ? "No cert numbers" : many(certCount, "certificate")}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <Group justify="flex-end" gap={10} mt={16}>
          {other}
          <Button type="submit" size="xs" variant="filled" disabled={names.length === 0}>
            {names.length > 1 ? `Use these ${names.length} sheets` : "Use this sheet"}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
