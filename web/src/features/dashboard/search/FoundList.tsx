import type { FoundRow, SearchAnswer } from "@slabdesk/contract/api/search.ts";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { Box, Combobox, Group, Text } from "@mantine/core";
import { IconUsers, IconZoomExclamation } from "@tabler/icons-react";
import { ByHandTag, CompanyTag, GradeChip } from "../../../card/chips.tsx";
import { colleagueMessage } from "../../../run/lookup-history-messages.ts";
import { Thumb } from "../../../table/row/Thumbs.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { ErrorPanel } from "../../../ui/ErrorPanel.tsx";
import { GhostRows } from "../../../ui/Skeletons.tsx";
import styles from "./search.module.css";
import { countMessage, foundLabel, newestOnlyMessage, ownerMessage, thenMessage } from "./search-messages.ts";
import type { Search } from "./use-search.ts";

type FoundListProps = {
  search: Search;
  listId: string;
  optionId: (rowId: string) => string;
  activeId: string | null;
  ownEmail: string;
};

/** The results of a search, in each of its states. */
export function FoundList({ search, listId, optionId, activeId, ownEmail }: FoundListProps) {
  const { state } = search;
  if (state.kind === "idle") return null;
  if (state.kind === "loading") return <GhostRows count={4} rowHeight="4rem" label="Searching" />;
  if (state.kind === "failed") {
    return (
      <Box p="sm">
        <ErrorPanel message={state.problem} onRetry={state.retry} />
      </Box>
    );
  }
  const { answer } = state;
  const remark = newestOnlyMessage(answer);
  return (
    <>
      {answer.results.length > 0 && (
        <>
          <Group
            component="p"
            gap="2px 12px"
            m={0}
            px={14}
            py={9}
            c="dimmed"
            fz="sm"
            style={{ borderBottom: "1px solid var(--sd-line)" }}
          >
            <Text component="strong" fz="sm" fw={600} c="var(--sd-ink)">
              {countMessage(answer)}
            </Text>
            {remark !== null && <span>{remark}</span>}
          </Group>
          <Combobox.Options id={listId} aria-label="Search results" className={styles.results ?? ""}>
            {answer.results.map((row) => (
              <Combobox.Option
                key={row.id}
                id={optionId(row.id)}
                value={row.id}
                selected={row.id === activeId}
                aria-selected={row.id === activeId}
                className={styles.option ?? ""}
              >
                <Found row={row} owner={ownerMessage(row, ownEmail)} />
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </>
      )}
      {answer.results.length === 0 && (
        <EmptyState
          icon={<IconZoomExclamation size={28} stroke={1.25} />}
          title={`Nothing found for “${search.text.trim()}”`}
        >
          {remark ?? "No matching cards."} Try part of the cert number, item, player, brand or company.
        </EmptyState>
      )}
      <Colleagues elsewhere={answer.elsewhere} />
    </>
  );
}

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

/** Other users who looked up this exact certificate. Shows only who and when. */
function Colleagues({ elsewhere }: Pick<SearchAnswer, "elsewhere">) {
  if (elsewhere.length === 0) return null;
  return (
    <ul className={styles.colleagues} aria-label="Looked up by colleagues">
      {elsewhere.map(({ gradingCompany, certNumber, by, at }) => (
        <Group
          key={`${gradingCompany} ${certNumber} ${by} ${at}`}
          component="li"
          gap="4px 8px"
          py={4}
          fz="sm"
          c="dimmed"
        >
          <IconUsers size={15} aria-hidden="true" />
          <CompanyTag company={gradingCompany} />
          <span className={styles.cert}>{certNumber}</span>
          <span>{colleagueMessage({ by, at })}</span>
        </Group>
      ))}
    </ul>
  );
}
