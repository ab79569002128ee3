import type { OwnLookUp } from "@slabdesk/contract/api/lookup-history.ts";
import type { Provenance } from "@slabdesk/contract/api/provenance.ts";
import { formatDay } from "@slabdesk/contract/certs/dates.ts";
import { TWICE_OPEN_MESSAGE, valuesMessage } from "../../run/lookup-history-messages.ts";
import { Remark, Section } from "../CardParts.tsx";
import styles from "./History.module.css";

/** Who looked the card up before, newest first, with its value then and now. */
export function EarlierLookups({ lookupHistory }: Pick<Provenance, "lookupHistory">) {
  const { own, colleagues, isTwiceOpen } = lookupHistory;
  return (
    <Section label="Earlier lookups">
      {own.length + colleagues.length === 0 && <Remark>This is the first lookup of this card.</Remark>}
      <ul className={styles.lines}>
        {own.map((lookUp) => (
          <li key={lookUp.resultId}>
            <time dateTime={lookUp.at}>{formatDay(lookUp.at)}</time>
            <span>{placeOf(lookUp)}</span>
            <span className={styles.numbers}>{valuesMessage(lookUp)}</span>
          </li>
        ))}
        {colleagues.map(({ by, at }) => (
          <li key={`${by} ${at}`}>
            <time dateTime={at}>{formatDay(at)}</time>
            <span>{by}</span>
          </li>
        ))}
      </ul>
      {isTwiceOpen && <Remark>{TWICE_OPEN_MESSAGE}</Remark>}
    </Section>
  );
}

const placeOf = ({ owner, sessionName, line }: OwnLookUp): string =>
  [owner, sessionName, `line ${line}`].filter((part) => part !== undefined).join(" · ");
