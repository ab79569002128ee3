import { entryCardSchema, type EntryCard, type ImageSide, type ResultRow } from "@slabdesk/contract/api/results.ts";
import { certUrlOf, parseCompany } from "@slabdesk/contract/certs/company.ts";
import { USUAL_GRADES } from "@slabdesk/contract/certs/grade.ts";
import { canEnter, isByHand, isEnteredHere } from "@slabdesk/contract/review/row-state.ts";
import { Button, Group, TextInput, UnstyledButton } from "@mantine/core";
import { useFileDialog } from "@mantine/hooks";
import { type SubmitEvent, useEffect, useId, useRef, useState } from "react";
import { z } from "zod";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { removeEntry, saveEntry } from "../../run/session-requests.ts";
import { useAction } from "../../api/use-action.ts";
import { confirmDialog } from "../../ui/confirm-dialog.tsx";
import { useFileDrop } from "../../ui/files/use-file-drop.ts";
import { Form } from "../../ui/form/Form.tsx";
import { FormProblem } from "../../ui/form/FormProblem.tsx";
import { toast } from "../../ui/toast.tsx";
import { CertLink, Section } from "../CardParts.tsx";
import { SIDE_NAMES, SIDES, thumbnailSource } from "../images.ts";
import { isUsablePhoto, PHOTO_FILE, photoAmong } from "../photos/photo-messages.ts";
import type { CardDialog } from "../use-card-dialog.ts";

type EntrySectionProps = {
  row: ResultRow;
  /** The rows of the table, for the next one without a card. */
  shown: RowsSnapshot;
  dialog: Pick<CardDialog, "open" | "close">;
  onRetry: (row: ResultRow) => void;
};

/** The grader's page and the form for a card that no service answers for. */
export function EntrySection({ row, shown, dialog, onRetry }: EntrySectionProps) {
  const company = parseCompany(row.gradingCompany);
  const next = nextWithoutCard(shown, row);
  return (
    <Section
      label={isEnteredHere(row) ? "Edit entry" : "Enter by hand"}
      side={company && <CertLink href={certUrlOf(company, row.certNumber)}>Open {company}&apos;s page</CertLink>}
    >
      <EntryForm
        key={row.id}
        row={row}
        hasNext={next !== null}
        onSaved={(goesOn) => (goesOn && next ? dialog.open(next, "entry") : dialog.close())}
      />
      {isByHand(row) && <EntryActions row={row} onRetry={onRetry} onDone={dialog.close} />}
    </Section>
  );
}

/** The next row that has no card and may be entered, from this row on and then from the top. */
function nextWithoutCard(shown: RowsSnapshot, row: ResultRow): ResultRow | null {
  const place = shown.indexOf(row);
  const others = [...shown.slice(place + 1), ...shown.slice(0, Math.max(place, 0))];
  return others.find((other) => canEnter(other) && !isEnteredHere(other)) ?? null;
}

function EntryActions({ row, onRetry, onDone }: Pick<EntrySectionProps, "row" | "onRetry"> & { onDone: () => void }) {
  const { run, isBusy } = useAction({
    send: removeEntry,
    failure: () => ({ id: "entry", title: "Couldn't remove the entry" }),
    onDone: () => {
      toast.done({ id: `entry-${row.id}`, message: `Removed the entry of ${row.certNumber}` });
      onDone();
    },
  });
  const remove = async (): Promise<void> => {
    const isSure = await confirmDialog({
      title: `Remove the entry of ${row.certNumber}?`,
      message: "The row fails again as it did before. What was typed, its photos and its prices are deleted.",
      confirmLabel: "Remove entry",
      isDestructive: true,
    });
    if (isSure) run(row);
  };
  return (
    <Group gap={8} mt={12}>
      <Button
        size="xs"
        onClick={() => {
          onRetry(row);
          onDone();
        }}
      >
        Look up again
      </Button>
      <Button size="xs" variant="subtle" color="bad" aria-disabled={isBusy} onClick={() => void remove()}>
        Remove entry
      </Button>
    </Group>
  );
}

const FIELDS: readonly { name: keyof EntryCard; label: string; hint?: string; width: string }[] = [
  { name: "itemName", label: "Name", hint: "As on the label", width: "100%" },
  { name: "year", label: "Year", hint: "1999-00", width: "8rem" },
  { name: "brand", label: "Set", width: "16rem" },
  { name: "cardNumber", label: "Card number", width: "8rem" },
  { name: "grade", label: "Grade", width: "16rem" },
  { name: "population", label: "Population (optional)", width: "12rem" },
];

/** `goesOn`: the user wants the next row. */
type EntryFormProps = { row: ResultRow; hasNext: boolean; onSaved: (goesOn: boolean) => void };

function EntryForm({ row, hasNext, onSaved }: EntryFormProps) {
  const gradesId = useId();
  const nameField = useRef<HTMLInputElement>(null);
  // The card view stays open from row to row, so each form takes the focus itself.
  useEffect(() => nameField.current?.focus({ preventScroll: true }), []);
  const [photos, setPhotos] = useState<Partial<Record<ImageSide, File>>>({});
  const [problems, setProblems] = useState<Partial<Record<keyof EntryCard, string[] | undefined>>>({});
  const { run, isBusy, problem } = useAction({
    send: ({ card }: { card: EntryCard; goesOn: boolean }) => saveEntry(row, card, photos),
    onDone: (_, { goesOn }) => {
      toast.done({ id: `entry-${row.id}`, message: `Saved ${row.certNumber}` });
      onSaved(goesOn);
    },
  });
  const onSubmit = ({ nativeEvent: { submitter }, currentTarget }: SubmitEvent<HTMLFormElement>): void => {
    const { population, ...card } = Object.fromEntries(new FormData(currentTarget));
    const read = entryCardSchema.safeParse({ ...card, population: countOf(population) });
    setProblems(read.success ? {} : z.flattenError(read.error).fieldErrors);
    if (read.success)
      run({ card: read.data, goesOn: submitter instanceof HTMLButtonElement && submitter.value === "next" });
  };
  const company = parseCompany(row.gradingCompany);
  return (
    <Form gap={12} onSubmit={onSubmit} aria-label={`Enter ${row.certNumber} by hand`}>
      <Group gap={12} align="flex-start">
        {FIELDS.map(({ name, label, hint, width }) => (
          <TextInput
            key={name}
            label={label}
            placeholder={hint}
            w={width}
            name={name}
            defaultValue={row.entry?.card[name] ?? ""}
            autoComplete="off"
            required={name === "itemName"}
            withAsterisk={false}
            ref={name === "itemName" ? nameField : undefined}
            data-autofocus={name === "itemName" || undefined}
            error={problems[name]?.[0]}
            errorProps={{ role: "alert" }}
            {...(name === "grade" && { list: gradesId })}
            {...(name === "population" && { inputMode: "numeric" as const })}
            onChange={() => setProblems({ ...problems, [name]: undefined })}
          />
        ))}
      </Group>
      <datalist id={gradesId}>
        {company && USUAL_GRADES[company].map((grade) => <option key={grade}>{grade}</option>)}
      </datalist>
      <Group gap={12} grow>
        {SIDES.map((side) => (
          <PhotoDrop
            key={side}
            row={row}
            side={side}
            photo={photos[side] ?? null}
            onPhoto={(photo) => setPhotos({ ...photos, [side]: photo })}
          />
        ))}
      </Group>
      <FormProblem message={problem} />
      <Group gap={8} justify="flex-end">
        {hasNext && (
          <Button size="sm" type="submit" value="next" variant="filled" aria-disabled={isBusy}>
            Save and next
          </Button>
        )}
        <Button size="sm" type="submit" {...(!hasNext && { variant: "filled" })} aria-disabled={isBusy}>
          {isBusy ? "Saving..." : "Save"}
        </Button>
      </Group>
    </Form>
  );
}

function countOf(typed: unknown): number | null {
  const digits = typeof typed === "string" ? typed.replace(/[\s,]/gu, "") : "";
  return digits === "" ? null : Number(digits);
}

type PhotoDropProps = { row: ResultRow; side: ImageSide; photo: File | null; onPhoto: (photo: File) => void };

const PREVIEW_CSS_WIDTH = 96;

/** A place to drop or choose a photo of one side, which the form sends. First, it shows the row's image, if any. */
function PhotoDrop({ row, side, photo, onPhoto }: PhotoDropProps) {
  const place = useRef<HTMLButtonElement>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  useEffect(() => () => URL.revokeObjectURL(chosen ?? ""), [chosen]);
  const preview = chosen ?? thumbnailSource(row, side, PREVIEW_CSS_WIDTH);
  const take = (files: Iterable<File>): void => {
    const file = photoAmong(files);
    if (!file || !isUsablePhoto(file)) return;
    setChosen(URL.createObjectURL(file));
    onPhoto(file);
  };
  const isOver = useFileDrop(place, take);
  const { open } = useFileDialog({ ...PHOTO_FILE, onChange: (files) => take(files ?? []) });
  return (
    <UnstyledButton
      ref={place}
      mih="7rem"
      p={8}
      bd={`1px dashed var(--sd-${isOver ? "accent" : "line"})`}
      bdrs="md"
      bg={isOver ? "var(--sd-accent-soft)" : "transparent"}
      c="dimmed"
      fz="sm"
      ta="center"
      style={{ display: "flex", flexDirection: "column", gap: 6, alignItems: "center", justifyContent: "center" }}
      onClick={open}
    >
      {preview !== null && (
        <img style={{ maxWidth: "100%", maxHeight: "8rem", objectFit: "contain" }} src={preview} alt="" />
      )}
      <span>
        {SIDE_NAMES[side]} photo: {photo?.name ?? (preview === null ? "drop or choose" : "replace")}
      </span>
    </UnstyledButton>
  );
}
