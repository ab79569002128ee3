import { PRICE_SOURCE_NAMES, PRICE_SOURCES } from "@slabdesk/contract/api/prices.ts";
import { Text } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import { Panel } from "../../../ui/Panel.tsx";
import { GhostLine } from "../../../ui/Skeletons.tsx";
import {
  companyLines,
  durationOf,
  countsOf,
  limitMessage,
  linkOnlyMessage,
  missingMessage,
  priceRefusals,
  priceWaitMessage,
  priceMessage,
  quotaChange,
  waitMessage,
  wallMessage,
  type Message,
} from "./plan-messages.ts";
import { count } from "../counts.ts";
import { assumedLimit } from "../quota/quota-messages.ts";
import type { SheetSummary } from "../sheet/sheet-summary.ts";
import type { Planning } from "./use-plan.ts";
import { TextButton } from "../TextButton.tsx";
import { NotedLines } from "./NotedLines.tsx";
import styles from "./PlanCard.module.css";
import { LookupHistoryLine } from "./LookupHistoryLine.tsx";

type PlanCardProps = {
  summary: SheetSummary;
  planning: Planning;
  /** The plan will include PSA's quota; reserves its line. */
  hasQuota: boolean;
  /** Prices are requested; shows their cost or reserves its lines. */
  hasPrices: boolean;
};

/**
 * The plan of a sheet, main numbers first. The sheet's own numbers show at once; server values fill reserved places.
 * Without a server response, the rest still shows.
 */
export function PlanCard({ summary, planning, hasQuota, hasPrices }: PlanCardProps): ReactNode {
  const plan = planning.kind === "planned" ? planning.plan : null;
  const isBusy = planning.kind === "loading" || planning.isAsking;
  const nowMs = planning.kind === "planned" ? planning.askedAtMs : 0;
  const duration = plan && durationOf(plan, nowMs);
  const quota = plan?.quota && quotaChange(plan.quota);
  const linkOnly = plan && linkOnlyMessage(plan);
  return (
    <Panel padding="flush" className={styles.card} aria-label="Plan" aria-busy={isBusy}>
      <PlanNumbers summary={summary} planning={planning} />
      <div className={styles.lines}>
        <Line title="Time">
          <Planned planning={planning}>
            <strong>{duration?.length}</strong>
            {duration?.end && ` · ${duration.end}`}
          </Planned>
        </Line>
        {planning.kind === "failed" && <Failure {...planning} />}
        {plan?.waits.map((wait, index) => (
          <NotedLines
            key={`${wait.company} ${wait.outcome} ${wait.until}`}
            title={waitMessage(wait, nowMs)}
            notes={(planning.kind === "planned" && planning.waiting[index]) || { count: wait.rows, notes: [] }}
            tone="warn"
          >
            {waitMessage(wait, nowMs)} ·{" "}
          </NotedLines>
        ))}
        {plan?.walls.map((wall) => (
          <Warning key={wall.company} tone="bad">
            {wallMessage(wall, nowMs)}
          </Warning>
        ))}
        {plan?.notConfigured.map((missing) => (
          <Warning key={missing.company} tone="bad">
            {missingMessage(missing)}
          </Warning>
        ))}
        {linkOnly && <Warning>{linkOnly}</Warning>}
        {companyLines(summary, plan).map(({ company, message }) => (
          <Line key={company} title={company} isPreliminary={plan === null}>
            {message}
          </Line>
        ))}
        {summary.byCompany.PSA > 0 && (quota || (hasQuota && plan === null)) && (
          <Line title="PSA quota today" tone={quota?.tone}>
            <Planned planning={planning}>{quota?.message}</Planned>
          </Line>
        )}
        {plan?.quota?.isConfirmed === false && summary.byCompany.PSA > 0 && (
          <Line title="Daily limit">{assumedLimit(plan.quota.total)}</Line>
        )}
        {plan?.ifLimited.map((limit) => (
          <Warning key={limit.perDay}>{limitMessage(limit)}</Warning>
        ))}
        {hasPrices && <PriceLines planning={planning} nowMs={nowMs} />}
        {planning.kind === "planned" && (
          <LookupHistoryLine lookupHistory={planning.plan.lookupHistory} notes={planning.remembered} />
        )}
      </div>
    </Panel>
  );
}

/** Requests to each price source; one line per source as soon as prices are selected. */
function PriceLines({ planning, nowMs }: { planning: Planning; nowMs: number }): ReactNode {
  const prices = planning.kind === "planned" ? planning.plan.prices : [];
  const isAsking = planning.kind === "loading" || planning.isAsking;
  return PRICE_SOURCES.map((source) => {
    const asked = prices.find((price) => price.source === source);
    const wait = asked && priceWaitMessage(asked, nowMs);
    const text = asked && priceMessage(asked);
    return (
      <Fragment key={source}>
        <Line title={PRICE_SOURCE_NAMES[source]} hint={text?.sentence}>
          {text ? <Parts message={text.message} /> : <Unknown isAsking={isAsking} />}
        </Line>
        {wait && <Warning>{wait}</Warning>}
        {asked && priceRefusals(asked, nowMs).map((refusal) => <Warning key={refusal}>{refusal}</Warning>)}
      </Fragment>
    );
  });
}

function Warning({ tone = "warn", children }: { tone?: "warn" | "bad"; children: ReactNode }): ReactNode {
  return (
    <p className={styles.line}>
      <span className={styles.sentence} data-tone={tone}>
        {children}
      </span>
    </p>
  );
}

function Parts({ message }: { message: string }): ReactNode {
  return message.split(/(?<= · )/).map((part) => (
    <span key={part} className={styles.part}>
      {part}
    </span>
  ));
}

function PlanNumbers({ summary, planning }: Pick<PlanCardProps, "summary" | "planning">): ReactNode {
  const { toLookUp, known, duplicates, damaged } = countsOf(
    summary,
    planning.kind === "planned" ? planning.plan : null,
  );
  return (
    <dl className={styles.counts}>
      <PlanNumber label="to look up" note="Each is one lookup at its grading company" value={toLookUp} tone="good" />
      <PlanNumber
        label="from cache"
        note="Looked up recently. Filled instantly, no lookup used"
        value={known}
        isAsking={planning.kind === "loading"}
      />
      <PlanNumber label="duplicates" note="Rows of a card that is looked up once" value={duplicates} />
      <PlanNumber label="company guessed" note="Guessed from the number" value={summary.guessed} tone="warn" />
      <PlanNumber label="to fix" value={damaged} tone="bad" />
    </dl>
  );
}

type PlanNumberProps = {
  label: string;
  value: number | null;
  isAsking?: boolean;
  note?: string;
  tone?: "good" | Message["tone"];
};

function PlanNumber({ label, value, isAsking = false, note, tone }: PlanNumberProps): ReactNode {
  return (
    <div className={styles.count} title={note}>
      <Text component="dt" inherit c="dimmed">
        {label}
      </Text>
      <dd className={styles.number} data-tone={tone} data-zero={!value || undefined}>
        {value === null ? <Unknown isAsking={isAsking} width="1.75rem" /> : count(value)}
      </dd>
    </div>
  );
}

function Unknown({ isAsking, width = "6.5rem" }: { isAsking: boolean; width?: string }): ReactNode {
  return isAsking ? (
    <span className={styles.ghost} title="Loading">
      <GhostLine width={width} />
    </span>
  ) : (
    <span title="Not available without the server">–</span>
  );
}

type LineProps = {
  title: string;
  hint?: string | undefined;
  tone?: Message["tone"];
  isPreliminary?: boolean;
  children: ReactNode;
};

function Line({ title, hint, tone, isPreliminary = false, children }: LineProps): ReactNode {
  return (
    <p className={styles.line} title={hint}>
      <span>{title}</span>
      <span className={styles.value} data-tone={tone} data-preliminary={isPreliminary || undefined}>
        {children}
      </span>
    </p>
  );
}

/** A value that only the plan provides. */
function Planned({ planning, children }: { planning: Planning; children: ReactNode }): ReactNode {
  return planning.kind === "planned" ? children : <Unknown isAsking={planning.kind === "loading"} />;
}

function Failure({ problem, isAsking, retry }: Extract<Planning, { kind: "failed" }>): ReactNode {
  return (
    <div className={styles.line}>
      <output className={styles.sentence}>Part of the plan couldn't be loaded. You can still start. {problem}</output>
      <TextButton className={styles.retry} disabled={isAsking} onClick={retry}>
        {isAsking ? "Loading…" : "Try again"}
      </TextButton>
    </div>
  );
}
