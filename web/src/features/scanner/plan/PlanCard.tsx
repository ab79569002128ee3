import "@mantine/core/styles/Table.layer.css";
import type { PlanLookupHistory } from "@slabdesk/contract/api/lookup-history.ts";
import { PRICE_SOURCE_NAMES, PRICE_SOURCES } from "@slabdesk/contract/api/prices.ts";
import { Box, Flex, Group, Modal, Table, Text } from "@mantine/core";
import { Fragment, type ReactNode, useState } from "react";
import { errorMessage } from "../../../api/errors.ts";
import { formatCount } from "../../../ui/format-numbers.ts";
import { Panel } from "../../../ui/Panel.tsx";
import { GhostLine } from "../../../ui/Skeletons.tsx";
import { assumedLimit } from "../quota/QuotaBlock.tsx";
import { type LineNotes, NOTES_LISTED, type SheetSummary } from "../sheet/sheet-summary.ts";
import { TextButton } from "../TextButton.tsx";
import styles from "./PlanCard.module.css";
import * as plans from "./plan-messages.ts";
import type { Planning } from "./use-plan.ts";

type PlanCardProps = {
  summary: SheetSummary;
  planning: Planning;
  /** The plan will include PSA's quota; reserves its line. */
  hasQuota: boolean;
  /** Prices are requested; shows their cost or reserves its lines. */
  hasPrices: boolean;
};

/** The plan of a sheet. The sheet's own numbers show at once; the server's fill reserved places. */
export function PlanCard({ summary, planning, hasQuota, hasPrices }: PlanCardProps) {
  const { data, error, isLoading, refetch } = planning;
  const plan = data?.plan ?? null;
  const nowMs = data?.plannedAtMs ?? 0;
  const duration = plan && plans.durationOf(plan, nowMs);
  const quota = plan?.quota && plans.quotaChange(plan.quota);
  const linkOnly = plan && plans.linkOnlyMessage(plan);
  const unknown = <Unknown isLoading={isLoading} />;
  return (
    <Panel p="14px 20px 10px" fz="sm" lh={1.4} aria-label="Plan" aria-busy={isLoading}>
      <PlanNumbers summary={summary} planning={planning} />
      <div className={styles.lines}>
        <Line title="Time">
          {duration ? (
            <>
              <strong style={{ fontWeight: 600 }}>{duration.length}</strong>
              {duration.end && ` · ${duration.end}`}
            </>
          ) : (
            unknown
          )}
        </Line>
        {!plan && error && (
          <div className={styles.line}>
            <output className={styles.sentence}>
              Part of the plan couldn't be loaded. You can still start. {errorMessage(error)}
            </output>
            <TextButton
              style={{ alignSelf: "center", fontWeight: 600, whiteSpace: "nowrap" }}
              onClick={() => void refetch()}
            >
              Try again
            </TextButton>
          </div>
        )}
        {plan?.waits.map((wait, index) => (
          <NotedLines
            key={`${wait.company} ${wait.outcome} ${wait.until}`}
            title={plans.waitMessage(wait, nowMs)}
            notes={data?.waiting[index] ?? { count: wait.rows, notes: [] }}
            tone="warn"
          >
            {plans.waitMessage(wait, nowMs)} ·{" "}
          </NotedLines>
        ))}
        {plan?.walls.map((wall) => (
          <Line key={wall.company} tone="bad">
            {plans.wallMessage(wall, nowMs)}
          </Line>
        ))}
        {plan?.notConfigured.map((missing) => (
          <Line key={missing.company} tone="bad">
            {plans.missingMessage(missing)}
          </Line>
        ))}
        {linkOnly && <Line>{linkOnly}</Line>}
        {plans.companyLines(summary, plan).map(({ company, message }) => (
          <Line key={company} title={company} isPreliminary={plan === null}>
            {message}
          </Line>
        ))}
        {summary.byCompany.PSA > 0 && (quota || (hasQuota && plan === null)) && (
          <Line title="PSA quota today" tone={quota?.tone}>
            {quota?.message ?? unknown}
          </Line>
        )}
        {plan?.quota?.isConfirmed === false && summary.byCompany.PSA > 0 && (
          <Line title="Daily limit">{assumedLimit(plan.quota.total)}</Line>
        )}
        {plan?.ifLimited.map((limit) => (
          <Line key={limit.perDay}>{plans.limitMessage(limit)}</Line>
        ))}
        {hasPrices && <PriceLines planning={planning} nowMs={nowMs} />}
        {data && <LookupHistoryLine lookupHistory={data.plan.lookupHistory} notes={data.history} />}
      </div>
    </Panel>
  );
}

/** One line per price source, as soon as prices are selected. */
function PriceLines({ planning: { data, isLoading }, nowMs }: { planning: Planning; nowMs: number }) {
  return PRICE_SOURCES.map((source) => {
    const asked = data?.plan.prices.find((price) => price.source === source);
    const wait = asked && plans.priceWaitMessage(asked, nowMs);
    const text = asked && plans.priceMessage(asked);
    return (
      <Fragment key={source}>
        <Line title={PRICE_SOURCE_NAMES[source]} hint={text?.sentence}>
          {text ? <Parts message={text.message} /> : <Unknown isLoading={isLoading} />}
        </Line>
        {wait && <Line>{wait}</Line>}
        {asked && plans.priceRefusals(asked, nowMs).map((refusal) => <Line key={refusal}>{refusal}</Line>)}
      </Fragment>
    );
  });
}

function Parts({ message }: { message: string }) {
  return message.split(/(?<= · )/).map((part) => (
    <Box key={part} component="span" display="inline-block" style={{ whiteSpace: "pre" }}>
      {part}
    </Box>
  ));
}

function PlanNumbers({ summary, planning: { data, isLoading } }: Pick<PlanCardProps, "summary" | "planning">) {
  const { toLookUp, known, duplicates, toFix } = plans.countsOf(summary, data?.plan ?? null);
  return (
    <Group component="dl" align="stretch" gap="8px 32px" mt={0} mb={8}>
      <PlanNumber label="to look up" note="Each is one lookup at its grading company" value={toLookUp} tone="good" />
      <PlanNumber
        label="from cache"
        note="Looked up recently. Filled instantly, no lookup used"
        value={known ?? <Unknown isLoading={isLoading} width="1.75rem" />}
      />
      <PlanNumber label="duplicates" note="Rows of a card that is looked up once" value={duplicates} />
      <PlanNumber label="company guessed" note="Guessed from the number" value={summary.guessed} tone="warn" />
      <PlanNumber label="to fix" value={toFix} tone="bad" />
    </Group>
  );
}

type PlanNumberProps = { label: string; value: ReactNode; note?: string; tone?: "good" | plans.Message["tone"] };

const NUMBER = { component: "dd", fz: "1.5rem", fw: 650, lh: 1.35, lts: "-0.01em" } as const;

function PlanNumber({ label, value, note, tone }: PlanNumberProps) {
  const isAny = typeof value === "number" && value > 0;
  return (
    <Flex direction="column-reverse" justify="flex-end" c="dimmed" title={note}>
      <dt>{label}</dt>
      <Box {...NUMBER} c={isAny ? "var(--tone-text, var(--sd-ink))" : "dimmed"} data-tone={tone}>
        {typeof value === "number" ? formatCount(value) : value}
      </Box>
    </Flex>
  );
}

/** The same height as the text and numbers that replace it. */
const GHOST = { display: "inline-flex", alignItems: "center", height: "1.35em", verticalAlign: "top" };

function Unknown({ isLoading, width = "6.5rem" }: { isLoading: boolean; width?: string }) {
  return isLoading ? (
    <span style={GHOST} title="Loading">
      <GhostLine width={width} />
    </span>
  ) : (
    <span title="Not available without the server">–</span>
  );
}

type LineProps = {
  /** The name of the line's value; without it, the line is a sentence, usually a warning. */
  title?: string;
  hint?: string | undefined;
  tone?: plans.Message["tone"];
  isPreliminary?: boolean;
  children: ReactNode;
};

function Line({ title, hint, tone = title ? undefined : "warn", isPreliminary = false, children }: LineProps) {
  return (
    <p className={styles.line} title={hint}>
      {title && <span>{title}</span>}
      <span
        className={title ? styles.value : styles.sentence}
        data-tone={tone}
        data-preliminary={isPreliminary || undefined}
      >
        {children}
      </span>
    </p>
  );
}

/** The number of cards looked up before, by whom, and how many are in another open session. A click lists them. */
function LookupHistoryLine({ lookupHistory, notes }: { lookupHistory: PlanLookupHistory; notes: LineNotes }) {
  const counts = plans.lookupHistoryCounts(lookupHistory);
  if (counts.length === 0) return null;
  const label = lookupHistory.own + lookupHistory.colleagues > 0 ? "Looked up before" : "Open twice";
  return (
    <NotedLines title={`${label}: ${formatCount(notes.count)}`} label={label} notes={notes}>
      {counts.map((message) => (
        <Box key={message} component="span" display="block">
          {message}
        </Box>
      ))}
    </NotedLines>
  );
}

type NotedLinesProps = {
  /** The title of the list that a click opens. */
  title: string;
  label?: string;
  notes: LineNotes;
  tone?: plans.Message["tone"];
  children: ReactNode;
};

/** One kind of note as a plan line; a click lists the affected sheet lines. */
function NotedLines({ title, label, notes, tone, children }: NotedLinesProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={styles.line} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {label && <span>{label}</span>}
        <span className={label ? styles.value : styles.sentence} data-tone={tone}>
          {children}
          <span className={styles.more}>see which</span>
        </span>
      </button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={title} size="lg">
        <LinesTable notes={notes} />
      </Modal>
    </>
  );
}

function LinesTable({ notes: { count: all, notes } }: { notes: LineNotes }) {
  return (
    <>
      <Table
        verticalSpacing={7}
        borderColor="var(--sd-line)"
        style={{ overflowWrap: "anywhere" }}
        styles={{ th: { color: "var(--sd-muted)", fontWeight: 500 }, td: { verticalAlign: "top" } }}
        data={{
          head: ["Where", "In the sheet", "Remark"],
          body: notes.map(({ line, where, typed, message }) => [
            where,
            <Box key={line} miw="16ch" c={typed === "" ? "dimmed" : "inherit"}>
              {typed || "empty"}
            </Box>,
            message,
          ]),
        }}
      />
      {all > notes.length && (
        <Text size="xs" c="dimmed" py={7} style={{ borderTop: "1px solid var(--sd-line)" }}>
          {formatCount(all - notes.length)} more; the first {NOTES_LISTED} are listed.
        </Text>
      )}
    </>
  );
}
