import type { FoundRow } from "@slabdesk/contract/api/search.ts";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { Text } from "@mantine/core";
import { ByHandTag, CompanyTag, GradeChip } from "../../../card/chips.tsx";
import { Thumb } from "../../../table/row/Thumbs.tsx";
import styles from "./search.module.css";
import { foundLabel, thenMessage } from "./search-messages.ts";

/** One found row. Its option has the class `option`. */
export function Found({ row, owner }: { row: FoundRow; owner: string | null }) {
  return (
    <>
      <span className={styles.photo}>
        <Thumb row={row} side="front" cssWidth={30} />
      </span>
      <Text span truncate style={{ gridArea: "label" }} fw={600} c={isFound(row) ? "inherit" : "var(--sd-bad)"}>
        {foundLabel(row)}
      </Text>
      <span className={styles.under}>
        <CompanyTag company={row.gradingCompany} />
        <span className={styles.cert}>{row.certNumber}</span>
        <ByHandTag row={row} />
        <Text span inherit truncate className={styles.session}>
          {row.sessionName}
        </Text>
        {owner !== null && (
          <Text span inherit truncate className={styles.owner}>
            {owner}
          </Text>
        )}
      </span>
      <span className={styles.grade}>
        <GradeChip grade={row.grade} />
      </span>
      <span className={styles.values}>{thenMessage(row)}</span>
    </>
  );
}
