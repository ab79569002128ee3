import { LONGEST_NOTES } from "@slabdesk/contract/api/results.ts";
import { Modal, Text, Textarea, TextInput } from "@mantine/core";
import { useInputState } from "@mantine/hooks";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { saveEdit } from "../../run/session-requests.ts";
import { useAction } from "../../api/use-action.ts";
import { Form } from "../../ui/form/Form.tsx";
import { FormButtons } from "../../ui/form/FormButtons.tsx";
import { ProblemLine } from "../../ui/form/FormProblem.tsx";
import { counted } from "../../ui/format-numbers.ts";
import { toast } from "../../ui/toast.tsx";

export type EditedField = "cost" | "notes";

type EditDialogProps = { field: EditedField; rows: RowsSnapshot; isOpen: boolean; onClose: () => void };

/** Sets the cost or the notes of the selected rows, all to the same. */
export function EditDialog({ isOpen, ...form }: EditDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={form.onClose}
      title={`Set the ${form.field} of ${counted(form.rows.length, "card")}`}
      size="sm"
      transitionProps={{ duration: 120 }}
    >
      <EditForm {...form} />
    </Modal>
  );
}

function EditForm({ field, rows, onClose }: Omit<EditDialogProps, "isOpen">) {
  const [text, setText] = useInputState("");
  const saving = useAction({
    send: (typed: string) => saveEdit(rows[0]?.sessionId ?? "", { rowIds: rows.map(({ id }) => id), [field]: typed }),
    onDone: () => {
      toast.done({ id: "selection-sent", message: `Saved the ${field} of ${counted(rows.length, "card")}` });
      onClose();
    },
  });
  const input = { "data-autofocus": true, value: text, onChange: setText };
  const clears = text.trim() === "";
  return (
    <Form onSubmit={() => saving.run(text)}>
      {field === "cost" ? (
        <TextInput {...input} label="Cost of each, in dollars" placeholder="120.00" inputMode="decimal" />
      ) : (
        <Textarea {...input} label="Notes" autosize minRows={2} maxRows={8} maxLength={LONGEST_NOTES} />
      )}
      <Text fz="sm" c="dimmed">
        {clears ? `Leave it empty to clear their ${field}.` : `Replaces their current ${field}.`}
      </Text>
      <ProblemLine message={saving.problem} />
      <FormButtons label={clears ? `Clear ${field}` : "Save"} loading={saving.isBusy} onCancel={onClose} />
    </Form>
  );
}
