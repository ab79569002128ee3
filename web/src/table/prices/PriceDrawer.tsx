import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { ActionIcon, Button, Drawer } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { CompanyTag, GradeChip } from "../cells.tsx";
import { Thumb } from "../Thumbs.tsx";
import { cardName } from "./market-view.ts";
import styles from "./PriceDrawer.module.css";
import { Estimates, FetchedAt, MarketFigures } from "./PriceFigures.tsx";
import { OfferLine } from "./OfferLine.tsx";
import type { PriceTools } from "./price-tools.ts";
import { SalesSection } from "./SalesSection.tsx";

export type PriceDrawerProps = {
  row: ResultRow | null;
  tools: PriceTools;
  onClose: () => void;
  /** Goes to the row before (-1) or after (1); undefined where there is none. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
};

/**
 * What a card is worth and why, beside the table: it stays in sight and in reach of the pointer, and a click on another
 * row's prices shows those. Loaded when it is first opened. The opener gives the focus back.
 */
export function PriceDrawer({ row, tools, onClose, onPrevious, onNext }: PriceDrawerProps) {
  return (
    <Drawer
      opened={row !== null}
      onClose={onClose}
      title={row ? cardName(row) : ""}
      size="min(100vw, 28rem)"
      withOverlay={false}
      closeOnClickOutside={false}
      lockScroll={false}
      returnFocus={false}
      transitionProps={{ duration: 140 }}
      closeButtonProps={{ "aria-label": "Close the prices" }}
    >
      {row && (
        <div className={styles.drawer}>
          <div className={styles.card}>
            <span className={styles.thumbs} aria-hidden="true">
              <Thumb row={row} side="front" />
              <Thumb row={row} side="back" />
            </span>
            <span className={styles.facts}>
              <CompanyTag company={row.gradingCompany} />
              <span className={styles.number}>{row.certNumber}</span>
              <GradeChip grade={row.grade} />
            </span>
            <span className={styles.steps}>
              <ActionIcon size={28} aria-label="Previous card" disabled={!onPrevious} onClick={onPrevious}>
                <IconChevronUp size={16} aria-hidden="true" />
              </ActionIcon>
              <ActionIcon size={28} aria-label="Next card" disabled={!onNext} onClick={onNext}>
                <IconChevronDown size={16} aria-hidden="true" />
              </ActionIcon>
            </span>
          </div>
          <Estimates row={row} />
          {tools.offerRule && <OfferLine row={row} rule={tools.offerRule} />}
          {row.pricing && <MarketFigures row={row} pricing={row.pricing} />}
          {(row.pricing !== null || row.cardsiq !== null) && <SalesSection row={row} />}
          <Foot row={row} tools={tools} />
        </div>
      )}
    </Drawer>
  );
}

function Foot({ row, tools }: { row: ResultRow; tools: PriceTools }) {
  const { onGetPrice } = tools;
  const isFetching = tools.fetching.has(row.id) || isPending(row);
  const hasPrice = row.pricing !== null || row.cardsiq !== null;
  return (
    <div className={styles.foot}>
      <FetchedAt row={row} />
      {onGetPrice && (
        <Button size="xs" aria-disabled={isFetching} onClick={isFetching ? undefined : () => onGetPrice(row)}>
          {isFetching ? "Loading..." : hasPrice ? "Fetch again" : "Get Price"}
        </Button>
      )}
    </div>
  );
}

/** A run or a reprice has asked already. */
function isPending({ prices }: ResultRow): boolean {
  return prices.cardladder.state === "pending" || prices.cardsiq.state === "pending";
}
