import { SegmentedControl, TextInput } from "@mantine/core";
import { type KeyboardEvent, type RefObject, type SubmitEvent, useId } from "react";
import { KeyHint } from "../../../ui/KeyHint.tsx";
import { COMPANY_CHOICES, type CompanyChoice } from "./read-scan.ts";
import styles from "./station.module.css";

type ScanFieldProps = {
  field: RefObject<HTMLInputElement | null>;
  choice: CompanyChoice;
  onChoice: (choice: CompanyChoice) => void;
  onScan: (text: string) => void;
  onUndo: () => void;
};

const FIELD_NAME = "scan";
const CHOICES = COMPANY_CHOICES.map((value) => ({ value, label: value === "auto" ? "Auto" : value }));

/**
 * The input that scanners type into. The field keeps its own text, because a scanner's Enter can arrive before React
 * renders the last character.
 */
export function ScanField({ field, choice, onChoice, onScan, onUndo }: ScanFieldProps) {
  const companyId = useId();
  const take = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const input = event.currentTarget.elements.namedItem(FIELD_NAME);
    if (!(input instanceof HTMLInputElement)) return;
    const text = input.value;
    input.value = "";
    onScan(text);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
    if (!isUndo || event.currentTarget.value !== "") return;
    event.preventDefault();
    if (!event.repeat) onUndo();
  };
  return (
    <form className={styles.form} onSubmit={take}>
      <TextInput
        ref={field}
        name={FIELD_NAME}
        size="md"
        label="Certificate number or link"
        placeholder="Scan, or type and press Enter"
        description={
          <span className={styles.keys}>
            <KeyHint>Enter</KeyHint> takes it, <KeyHint>Ctrl Z</KeyHint> in the empty field undoes
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
          for (const line of lines) onScan(line);
        }}
      />
      <div className={styles.company}>
        <span id={companyId} className={styles.companyLabel}>
          Company
        </span>
        <SegmentedControl
          size="xs"
          aria-labelledby={companyId}
          data={CHOICES}
          value={choice}
          onChange={onChoice}
          className={styles.choice}
        />
      </div>
    </form>
  );
}
