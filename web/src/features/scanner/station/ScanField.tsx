import "@mantine/core/styles/FloatingIndicator.layer.css";
import "@mantine/core/styles/SegmentedControl.layer.css";
import { COMPANIES } from "@slabdesk/contract/certs/company.ts";
import { Group, Kbd, SegmentedControl, Text, TextInput } from "@mantine/core";
import { type KeyboardEvent, type RefObject, type SubmitEvent, useId } from "react";
import { Form } from "../../../ui/form/Form.tsx";
import styles from "./station.module.css";
import type { StationControl } from "./use-station.ts";

const FIELD_NAME = "scan";
const CHOICES = [{ value: "auto" as const, label: "Auto" }, ...COMPANIES];

/** Keeps its own text, because a scanner's Enter can arrive before React renders the last character. */
export function ScanField({ field, station }: { field: RefObject<HTMLInputElement | null>; station: StationControl }) {
  const { choice, setChoice, scan, undo } = station;
  const companyId = useId();
  const take = ({ currentTarget }: SubmitEvent<HTMLFormElement>): void => {
    const input = currentTarget.elements.namedItem(FIELD_NAME);
    if (!(input instanceof HTMLInputElement)) return;
    const text = input.value;
    input.value = "";
    scan(text);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
    if (!isUndo || event.currentTarget.value !== "") return;
    event.preventDefault();
    if (!event.repeat) undo();
  };
  return (
    <Form gap={10} onSubmit={take}>
      <TextInput
        ref={field}
        name={FIELD_NAME}
        size="md"
        label="Cert number or link"
        placeholder="Scan, or type and press Enter"
        description={
          <span className={styles.keys}>
            <Kbd>Enter</Kbd> adds it. <Kbd>Ctrl Z</Kbd> in the empty field undoes the last scan
          </span>
        }
        inputWrapperOrder={["label", "input", "description"]}
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="done"
        maxLength={500}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          // A pasted sheet column: the input would join its lines into one number.
          const lines = event.clipboardData.getData("text").split(/[\r\n]+/);
          if (lines.length < 2) return;
          event.preventDefault();
          for (const line of lines) scan(line);
        }}
      />
      <Group justify="space-between" gap={12} wrap="nowrap">
        <Text span id={companyId} fw={550} fz="sm">
          Company
        </Text>
        <SegmentedControl
          size="xs"
          aria-labelledby={companyId}
          data={CHOICES}
          value={choice}
          onChange={setChoice}
          flex={1}
          maw="15rem"
        />
      </Group>
    </Form>
  );
}
