import { LONGEST_NOTES, type ResultRow } from "@slabdesk/contract/api/results.ts";
import { offerOf } from "@slabdesk/contract/market/buy-offer.ts";
import { totalsOf } from "@slabdesk/contract/market/totals.ts";
import { costProblem } from "@slabdesk/contract/sheet/price.ts";
import { Text, Textarea, TextInput, UnstyledButton } from "@mantine/core";
import { money } from "../ui/format-numbers.ts";
import type { CardActions } from "./card-actions.ts";
import { Fact, Facts, Remark, Section } from "./CardParts.tsx";
import styles from "./CardView.module.css";
import { Margin } from "./prices/estimates.tsx";
import { offerDetails } from "./prices/price-messages.ts";
import { useSavedField } from "./use-saved-field.ts";

type CostAndOfferProps = { row: ResultRow; actions: Pick<CardActions, "offerRule" | "onEditOffers"> };

/** What the user knows and decides: cost, offer, margin and notes. Cost and notes are saved when the field is left. */
export function CostAndOffer({ row, actions }: CostAndOfferProps) {
  const cost = useSavedField({ row, name: "cost", stored: row.priceText, problemOf: costProblem });
  const notes = useSavedField({ row, name: "notes", stored: row.sheetNotes });
  const { margin } = totalsOf([row], null);
  return (
    <Section
      label="Cost and offer"
      side={<SaveState isBusy={cost.isBusy || notes.isBusy} isSaved={cost.isSaved || notes.isSaved} />}
    >
      <div className={styles.yours}>
        <TextInput
          label="Cost"
          inputMode="decimal"
          placeholder="0.00"
          maxLength={200}
          autoComplete="off"
          {...cost.inputProps}
        />
        <Facts variant="grid">
          <Fact name="Customer Price">{row.price === null ? "–" : money(Number(row.customerPrice))}</Fact>
          <Fact name="Offer">
            <Offer row={row} {...actions} />
          </Fact>
          <Fact name="Margin">{margin.n === 0 ? "–" : <Margin sum={margin.sum} percent={margin.percent} />}</Fact>
        </Facts>
      </div>
      <Textarea
        label="Notes"
        mt={10}
        autosize
        minRows={1}
        maxRows={8}
        maxLength={LONGEST_NOTES}
        {...notes.inputProps}
      />
      <LookupNote row={row} />
    </Section>
  );
}

function Offer({ row, offerRule, onEditOffers }: { row: ResultRow } & CostAndOfferProps["actions"]) {
  const offer = offerRule && offerOf(offerRule, row);
  return (
    <>
      {offer === null ? "–" : money(offer)}
      {offerRule && <Remark>{offerDetails(offerRule, row)}</Remark>}
      {onEditOffers && (
        <UnstyledButton className={styles.quietLink ?? ""} onClick={onEditOffers}>
          {offerRule === null ? "Set buy offers" : "Edit buy offers"}
        </UnstyledButton>
      )}
    </>
  );
}

function SaveState({ isBusy, isSaved }: { isBusy: boolean; isSaved: boolean }) {
  return (
    <Text component="output" fz="xs" c="dimmed">
      {isBusy ? "Saving…" : isSaved ? "Saved" : ""}
    </Text>
  );
}

/** The note that the look-up added to the user's own. */
function LookupNote({ row: { notes, sheetNotes, status } }: { row: ResultRow }) {
  if (status === "error" || status === "failed") return null;
  const added =
    sheetNotes === "" ? notes : notes.startsWith(`${sheetNotes} · `) ? notes.slice(sheetNotes.length + 3) : "";
  return added === "" ? null : <Remark>From the lookup: {added}</Remark>;
}
