import { LONGEST_NOTES, type ResultRow } from "@slabdesk/contract/api/results.ts";
import { ruleOfferOf } from "@slabdesk/contract/market/buy-offer.ts";
import { totalsOf } from "@slabdesk/contract/market/totals.ts";
import { costProblem, parseOffer } from "@slabdesk/contract/sheet/price.ts";
import { Group, Text, Textarea, TextInput, UnstyledButton } from "@mantine/core";
import { type ChangeEvent, type KeyboardEvent, useState } from "react";
import { saveEdit } from "../run/session-requests.ts";
import { useAction } from "../api/use-action.ts";
import { money } from "../ui/format-numbers.ts";
import type { CardActions } from "./use-card-dialog.ts";
import { Fact, Facts, Remark, Section } from "./CardParts.tsx";
import styles from "./CardView.module.css";
import { Margin } from "./prices/estimates.tsx";
import { offerDetails } from "./prices/price-messages.ts";

type CostAndOfferProps = { row: ResultRow; actions: Pick<CardActions, "offerRule" | "onEditOffers"> };

/** What the user knows and decides: cost, offer, margin and notes. Each field is saved when it is left. */
export function CostAndOffer({ row, actions: { offerRule, onEditOffers } }: CostAndOfferProps) {
  const fields = {
    cost: useSavedField({ row, name: "cost", stored: row.priceText, problemOf: costProblem }),
    offer: useSavedField({ row, name: "offer", stored: row.ownOffer?.toFixed(2) ?? "", problemOf: offerProblem }),
    notes: useSavedField({ row, name: "notes", stored: row.sheetNotes }),
  };
  const all = Object.values(fields);
  const { margin } = totalsOf([row], null);
  const details = offerDetails(offerRule, row);
  // The rule's offer applies while the field is empty.
  const ruleOffer = (offerRule && ruleOfferOf(offerRule, row)?.toFixed(2)) ?? "0.00";
  return (
    <Section
      label="Cost and offer"
      side={
        <Text component="output" fz="xs" c="dimmed">
          {all.some(({ isBusy }) => isBusy) ? "Saving…" : all.some(({ isSaved }) => isSaved) ? "Saved" : ""}
        </Text>
      }
    >
      <div className={styles.yours}>
        <TextInput label="Cost" placeholder="0.00" {...AMOUNT_FIELD} {...fields.cost.inputProps} />
        <TextInput label="Offer" placeholder={ruleOffer} {...AMOUNT_FIELD} {...fields.offer.inputProps} />
        <Facts variant="grid">
          <Fact name="Customer Price">{row.price === null ? "–" : money(Number(row.customerPrice))}</Fact>
          <Fact name="Margin">{margin.n === 0 ? "–" : <Margin sum={margin.sum} percent={margin.percent} />}</Fact>
        </Facts>
      </div>
      <Group gap="2px 10px" mt={6}>
        {details !== "" && <Remark>Offer: {details}</Remark>}
        {onEditOffers && (
          <UnstyledButton c="var(--sd-accent)" fz="xs" fw={400} onClick={onEditOffers}>
            {offerRule === null ? "Set buy offers" : "Edit buy offers"}
          </UnstyledButton>
        )}
      </Group>
      <Textarea label="Notes" mt={10} autosize maxRows={8} maxLength={LONGEST_NOTES} {...fields.notes.inputProps} />
      <LookupNote row={row} />
    </Section>
  );
}

const AMOUNT_FIELD = { inputMode: "decimal", maxLength: 200, autoComplete: "off" } as const;

const offerProblem = (typed: string): string | null => parseOffer(typed).problem;

/** The note that the lookup added to the user's own. */
function LookupNote({ row: { notes, sheetNotes, status } }: { row: ResultRow }) {
  if (status === "error" || status === "failed") return null;
  const added =
    sheetNotes === "" ? notes : notes.startsWith(`${sheetNotes} · `) ? notes.slice(sheetNotes.length + 3) : "";
  return added === "" ? null : <Remark>From the lookup: {added}</Remark>;
}

type SavedFieldOptions = {
  row: ResultRow;
  name: "cost" | "offer" | "notes";
  stored: string;
  /** Why a text can't be saved; null if it can. */
  problemOf?: (typed: string) => string | null;
};

/** A field saved when left, or on Enter. Esc restores it. A refused text stays with its problem. The last save wins. */
function useSavedField({ row, name, stored, problemOf }: SavedFieldOptions) {
  const [typed, setTyped] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [sent, setSent] = useState<string | null>(null);
  const { run, isBusy, problem } = useAction<string>({
    send: (text) => saveEdit(row.sessionId, { rowIds: [row.id], [name]: text }),
    failure: () => ({ id: `edit-${row.id}-${name}`, title: `Couldn't save the ${name} of ${row.certNumber}` }),
    onDone: (_, text) => setTyped((current) => (current?.trim() === text ? null : current)),
    inOrder: true,
  });
  const restore = (): void => {
    setTyped(null);
    setRefusal(null);
  };
  const save = (): void => {
    if (typed === null) return;
    const text = typed.trim();
    const reason = problemOf?.(text) ?? null;
    if (reason !== null) setRefusal(reason);
    else if (text === stored) restore();
    else {
      setSent(text);
      run(text);
    }
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      save();
    } else if (event.key === "Escape") restore();
  };
  const isRefused = problem !== null && sent === typed?.trim();
  return {
    isBusy,
    isSaved: sent !== null && typed === null && !isBusy,
    inputProps: {
      value: typed ?? stored,
      error: refusal ?? (isRefused ? `Not saved: ${problem}. Press Enter to try again` : null),
      errorProps: { role: "alert" },
      // Esc restores the text and doesn't close the card.
      "data-keeps-escape": typed === null ? undefined : true,
      onKeyDown,
      onBlur: save,
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>): void => {
        setTyped(event.currentTarget.value);
        setRefusal(null);
      },
    },
  };
}
