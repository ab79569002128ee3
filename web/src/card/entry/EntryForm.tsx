import { entryCardSchema, type EntryCard } from "@slabdesk/contract/api/entry.ts";
import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { parseCompany } from "@slabdesk/contract/certs/company.ts";
import { USUAL_GRADES } from "@slabdesk/contract/certs/grade.ts";
import { Button, Group, Stack, TextInput } from "@mantine/core";
import { type SubmitEvent, useEffect, useId, useRef, useState } from "react";
import { z } from "zod";
import { saveEntry } from "../../run/session-requests.ts";
import { useAction } from "../../run/use-action.ts";
import { FormProblem } from "../../ui/form/FormProblem.tsx";
import { toast } from "../../ui/toast.tsx";
import { SIDES } from "../image-messages.ts";
import { PhotoDrop } from "./PhotoDrop.tsx";

type Typed = Record<keyof EntryCard, string>;
type Problems = Partial<Record<keyof EntryCard, string[] | undefined>>;

const FIELDS: readonly { name: keyof EntryCard; label: string; hint?: string; width: string }[] = [
  { name: "itemName", label: "Name", hint: "As on the label", width: "100%" },
  { name: "year", label: "Year", hint: "1999-00", width: "8rem" },
  { name: "brand", label: "Set", width: "16rem" },
  { name: "cardNumber", label: "Card number", width: "8rem" },
  { name: "grade", label: "Grade", width: "16rem" },
  { name: "population", label: "Population (optional)", width: "12rem" },
];
const NOTHING: EntryCard = { itemName: "", year: "", brand: "", cardNumber: "", grade: "", population: null };

type EntryFormProps = {
  row: ResultRow;
  hasNext: boolean;
  /** `goesOn`: the user wants the next row. */
  onSaved: (goesOn: boolean) => void;
};

/** The card's data from its label, and photos of both sides. */
export function EntryForm({ row, hasNext, onSaved }: EntryFormProps) {
  const gradesId = useId();
  const nameField = useRef<HTMLInputElement>(null);
  // The card view stays open from row to row, so each form takes the focus itself.
  useEffect(() => nameField.current?.focus({ preventScroll: true }), []);
  const [typed, setTyped] = useState(() => typedOf(row.entry?.card ?? NOTHING));
  const [photos, setPhotos] = useState<Partial<Record<ImageSide, File>>>({});
  const [problems, setProblems] = useState<Problems>({});
  const { run, isBusy, problem } = useAction({
    send: ({ card }: { card: EntryCard; goesOn: boolean }) => saveEntry(row, card, photos),
    onDone: (_, { goesOn }) => {
      toast.done({ id: `entry-${row.id}`, message: `Saved ${row.certNumber}` });
      onSaved(goesOn);
    },
  });
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const { submitter } = event.nativeEvent;
    const read = entryCardSchema.safeParse({ ...typed, population: countOf(typed.population) });
    setProblems(read.success ? {} : z.flattenError(read.error).fieldErrors);
    if (read.success)
      run({ card: read.data, goesOn: submitter instanceof HTMLButtonElement && submitter.value === "next" });
  };
  const company = parseCompany(row.gradingCompany);
  return (
    <form onSubmit={onSubmit} noValidate aria-label={`Enter ${row.certNumber} by hand`}>
      <Stack gap={12}>
        <Group gap={12} align="flex-start">
          {FIELDS.map(({ name, label, hint, width }) => (
            <TextInput
              key={name}
              label={label}
              placeholder={hint}
              w={width}
              value={typed[name]}
              autoComplete="off"
              required={name === "itemName"}
              withAsterisk={false}
              ref={name === "itemName" ? nameField : undefined}
              data-autofocus={name === "itemName" || undefined}
              error={problems[name]?.[0]}
              errorProps={{ role: "alert" }}
              {...(name === "grade" && { list: gradesId })}
              {...(name === "population" && { inputMode: "numeric" as const })}
              onChange={(event) => {
                setTyped({ ...typed, [name]: event.currentTarget.value });
                setProblems({ ...problems, [name]: undefined });
              }}
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
      </Stack>
    </form>
  );
}

function typedOf({ population, ...card }: EntryCard): Typed {
  return { ...card, population: population === null ? "" : String(population) };
}

function countOf(text: string): number | null {
  const digits = text.replace(/[\s,]/gu, "");
  return digits === "" ? null : Number(digits);
}
