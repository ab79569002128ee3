import { Button, Group, Modal, Textarea } from "@mantine/core";
import { type ReactNode, useState } from "react";

type PasteDialogProps = { isOpen: boolean; onClose: () => void; onPaste: (text: string) => void };

/** Numbers without a file: typed, or pasted from a spreadsheet, a message, or a browser. */
export function PasteDialog({ isOpen, onClose, onPaste }: PasteDialogProps): ReactNode {
  const [text, setText] = useState("");
  return (
    <Modal opened={isOpen} onClose={onClose} title="Paste numbers" size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() === "") return;
          onPaste(text);
          setText("");
          onClose();
        }}
      >
        <Textarea
          styles={{ input: { fontVariantNumeric: "tabular-nums" } }}
          label="Cert numbers"
          description="Numbers or links, one per line or separated by spaces or commas, or cells copied from a spreadsheet."
          data-autofocus
          autosize
          minRows={8}
          maxRows={18}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap={10} mt={16}>
          <Button size="xs" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="xs" variant="filled" disabled={text.trim() === ""}>
            Use these numbers
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
