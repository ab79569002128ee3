import { LONGEST_NOTES, type ResultRow } from "@slabdesk/contract/api/results.ts";
import { ruleOfferOf } from "@slabdesk/contract/market/buy-offer.ts";
import { totalsOf } from "@slabdesk/contract/market/totals.ts";
import { costProblem, parseOffer } from "@slabdesk/contract/sheet/price.ts";
import { Group, Text, Textarea, TextInput, UnstyledButton } from "@mantine/core";
import { money } from "../ui/format-numbers.ts";
import type { CardActions } from "./card-actions.ts";
import { Fact, Facts, Remark, Section } from "./CardParts.tsx";
import styles from "./CardView.module.css";
import { Margin } from "./prices/estimates.tsx";
import { offerDetails } from "./prices/price-messages.ts";
import { useSavedField } from "./use-saved-field.ts";

type CostAndOfferProps = { row: ResultRow; actions: Pick<CardActions, "offerRule" | "onEditOffers"> };

/** What the user knows and decides: cost, offer, margin and notes. Each field is saved when it is left. */
export function CostAndOffer({ row, actions }: CostAndOfferProps) {
  const fields = {
    cost: useSavedField({ row, name: "cost", stored: row.priceText, problemOf: costProblem }),
    offer: useSavedField({ row, name: "offer", stored: row.ownOffer?.toFixed(2) ?? "", problemOf: offerProblem }),
    notes: useSavedField({ row, name: "notes", stored: row.sheetNotes }),
  };
  const all = Object.values(fields);
  const { margin } = totalsOf([row], null);
  return (
    <Section
      label="Cost and offer"
      side={<SaveState isBusy={all.some(({ isBusy }) => isBusy)} isSaved={all.some(({ isSaved }) => isSaved)} />}
    >
      <div className={styles.yours}>
        <TextInput label="Cost" placeholder="0.00" {...AMOUNT_FIELD} {...fields.cost.inputProps} />
        <TextInput label="Offer" placeholder={ruleOffer(row, actions)} {...AMOUNT_FIELD} {...fields.offer.inputProps} />
        <Facts variant="grid">
          <Fact name="Customer Price">{row.price === null ? "–" : money(Number(row.customerPrice))}</Fact>
          <Fact name="Margin">{margin.n === 0 ? "–" : <Margin sum={margin.sum} percent={margin.percent} />}</Fact>
        </Facts>
      </div>
      <OfferRemark row={row} {...actions} />
      <Textarea
        label="Notes"
        mt={10}
        autosize
        minRows={1}
        maxRows={8}
        maxLength={LONGEST_NOTES}
        {...fields.notes.inputProps}
      />
      <LookupNote row={row} />
    </Section>
  );
}

const AMOUNT_FIELD = { inputMode: "decimal", maxLength: 200, autoComplete: "off" } as const;

const offerProblem = (typed: string): string | null => parseOffer(typed).problem;

/** The rule's offer, which applies while the field is empty. */
function ruleOffer(row: ResultRow, { offerRule }: CostAndOfferProps["actions"]): string {
  return (offerRule && ruleOfferOf(offerRule, row)?.toFixed(2)) ?? "0.00";
}

/** Where the offer comes from, and a link to the rule. */
function OfferRemark({ row, offerRule, onEditOffers }: { row: ResultRow } & CostAndOfferProps["actions"]) {
  const details = offerDetails(offerRule, row);
  return (
    <Group gap="2px 10px" mt={6}>
      {details !== "" && <Remark>Offer: {details}</Remark>}
      {onEditOffers && (
        <UnstyledButton className={styles.quietLink ?? ""} onClick={onEditOffers}>
          {offerRule === null ? "Set buy offers" : "Edit buy offers"}
        </UnstyledButton>
      )}
    </Group>
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
