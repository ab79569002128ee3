import { LISTING_PERCENT, type ListingPrice } from "@slabdesk/contract/api/prices.ts";
import { firstFound, listingPriceOf, marketValueOf } from "@slabdesk/contract/market/listing-price.ts";
import { centsOf, dollarsOf } from "@slabdesk/contract/market/money.ts";
import { Box, Group, Modal, Radio, ScrollArea, Text, TextInput } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { rowTitle } from "../../card/row-messages.ts";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { Form } from "../../ui/form/Form.tsx";
import { HeadRow } from "../../ui/HeadRow.tsx";
import { FormButtons } from "../../ui/form/FormButtons.tsx";
import { ProblemLine } from "../../ui/form/FormProblem.tsx";
import { counted, money } from "../../ui/format-numbers.ts";
import { useTablePreferences } from "../columns/use-table-preferences.ts";
import styles from "./ListingDialog.module.css";

type ListingDialogProps = {
  shop: string;
  isOpen: boolean;
  rows: RowsSnapshot;
  onDownload: (listing: ListingPrice) => void;
  onClose: () => void;
};

const BASES = [
  { value: "customerPrice", label: "Customer Price", missing: "cost" },
  { value: "estimate", label: "Estimate", missing: "estimate" },
  { value: "median", label: "Median", missing: "median" },
] as const;

const PERCENT_MESSAGE = `Type a percentage from ${LISTING_PERCENT.least} to ${LISTING_PERCENT.most}`;
const percentText = (percent: number): string => `× ${percent}%`;

/** The percentage in a text such as "× 97,5%", with at most two decimals; null if none is allowed. */
export function percentIn(text: string): number | null {
  const [, digits] = /^×?\s*(\d+(?:[.,]\d*)?)\s*%?$/.exec(text.trim()) ?? [];
  const percent = Math.round(Number(digits?.replace(",", ".")) * 100) / 100;
  return percent >= LISTING_PERCENT.least && percent <= LISTING_PERCENT.most ? percent : null;
}

/** Asks at which price a shop's listings are, and warns where that is below market. The answer is remembered. */
export function ListingDialog({ shop, isOpen, onClose, ...form }: ListingDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={`Listings for ${shop}`}
      size="lg"
      transitionProps={{ duration: 120 }}
    >
      <ListingForm {...form} onClose={onClose} />
    </Modal>
  );
}

function ListingForm({ rows, onDownload, onClose }: Omit<ListingDialogProps, "shop" | "isOpen">) {
  const { preferences, change } = useTablePreferences();
  const [listing, setListing] = useState(preferences.listing);
  const [typed, setTyped] = useState(percentText(listing.listPercent));
  const report = useMemo(() => listingReportOf(rows, listing), [rows, listing]);
  const hasPercent = listing.listAt !== "customerPrice";
  const isWrong = hasPercent && percentIn(typed) === null;
  return (
    <Form
      onSubmit={() => {
        if (isWrong) return;
        change((current) => ({ ...current, listing }));
        onDownload(listing);
        onClose();
      }}
    >
      <Radio.Group
        label="List at"
        value={listing.listAt}
        onChange={(value) => {
          const base = BASES.find((choice) => choice.value === value);
          if (base) setListing({ ...listing, listAt: base.value });
        }}
      >
        <Group gap="8px 20px" mt={8} mih={36}>
          {BASES.map(({ value, label }) => (
            <Radio key={value} value={value} label={label} />
          ))}
          {hasPercent && (
            <TextInput
              size="xs"
              w={96}
              aria-label="Percent"
              inputMode="decimal"
              value={typed}
              error={isWrong}
              onChange={({ currentTarget }) => {
                setTyped(currentTarget.value);
                const listPercent = percentIn(currentTarget.value);
                if (listPercent !== null) setListing({ ...listing, listPercent });
              }}
              onBlur={() => setTyped((text) => (percentIn(text) === null ? text : percentText(listing.listPercent)))}
            />
          )}
        </Group>
      </Radio.Group>
      <ProblemLine message={isWrong ? PERCENT_MESSAGE : null} />
      <Report report={report} listAt={listing.listAt} />
      <FormButtons label="Download" disabled={report.count === 0} onCancel={onClose} />
    </Form>
  );
}

function Report({ report, listAt }: { report: ListingReport; listAt: ListingPrice["listAt"] }) {
  const { count, unpricedCount, total, below } = report;
  const missing = BASES.find(({ value }) => value === listAt)?.missing;
  if (count === 0) return <Text fz="sm">None of these cards was found, so there is nothing to list.</Text>;
  return (
    <>
      <Text fz="sm">
        {counted(count, "card")} for {money(total)} in all.
        {unpricedCount > 0 &&
          ` ${counted(unpricedCount, "card has", "cards have")} no ${missing}: the price stays empty.`}
      </Text>
      {below.length > 0 && <BelowMarket below={below} />}
    </>
  );
}

const MOST_LISTED = 100;

function BelowMarket({ below }: Pick<ListingReport, "below">) {
  return (
    <Box
      component="section"
      p="10px 12px"
      bdrs="md"
      bg="var(--sd-warn-row)"
      c="var(--sd-warn)"
      aria-label="Below market"
    >
      <Group component="p" role="alert" gap={6} fz="sm" fw={600} wrap="nowrap">
        <IconAlertTriangle size={16} aria-hidden="true" />
        {counted(below.length, "card is", "cards are")} listed below market
      </Group>
      <ScrollArea.Autosize mah={240} mt={8} viewportProps={{ tabIndex: 0 }}>
        <table className={styles.table}>
          <HeadRow names={["Card", "List price", "Market"]} />
          <tbody>
            {below.slice(0, MOST_LISTED).map(({ row, price, market }) => (
              <tr key={row.id}>
                <th scope="row">{rowTitle(row) ?? row.certNumber}</th>
                <td>{money(price)}</td>
                <td>{money(market)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {below.length > MOST_LISTED && (
          <Text fz="xs" c="dimmed" mt={4}>
            and {counted(below.length - MOST_LISTED, "more card")}
          </Text>
        )}
      </ScrollArea.Autosize>
    </Box>
  );
}

type ListingReport = ReturnType<typeof listingReportOf>;

/** What a shop's file would list, in dollars. `below` are the cards listed below market, the largest loss first. */
export function listingReportOf(rows: RowsSnapshot, listing: ListingPrice) {
  const listed = rows.filter(firstFound());
  const priced = listed.flatMap((row) => {
    const price = listingPriceOf(listing, row);
    return price === null ? [] : [{ row, price, market: marketValueOf(row) ?? 0 }];
  });
  return {
    count: listed.length,
    unpricedCount: listed.length - priced.length,
    total: dollarsOf(priced.reduce((sum, { price }) => sum + centsOf(price), 0)),
    below: priced
      .filter(({ price, market }) => price < market)
      .sort((one, other) => other.market - other.price - (one.market - one.price)),
  };
}
