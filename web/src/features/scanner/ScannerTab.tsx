import type { Profile } from "@slabdesk/contract/api/people.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { Status } from "@slabdesk/contract/api/status.ts";
import { Box, Center, Stack, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { VisuallyHidden } from "../../ui/text/VisuallyHidden.tsx";
import { Suspense, useCallback, useRef, useSyncExternalStore } from "react";
import { Boundary } from "../../ui/Boundary.tsx";
import { lazyPart, usePreload } from "../../ui/lazy-part.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { useSessionLookupHistory } from "../../run/use-session-lookup-history.ts";
import { type TableControl, useTableControl } from "../../table/filter/use-table-control.ts";
import { isOutOfQuota } from "./plan/plan-messages.ts";
import { type Planning, usePlan } from "./plan/use-plan.ts";
import { type QuotaReading, useQuota } from "./quota/QuotaBlock.tsx";
import styles from "./ScannerTab.module.css";
import { isAtWork, isRunning } from "./scanner-state.ts";
import type { TablePointer } from "./session/RunControls.tsx";
import { ServerCard } from "./ServerCard.tsx";
import { SessionCard } from "./session/SessionCard.tsx";
import { type StationControl, useStation } from "./station/use-station.ts";
import { OptionsStep } from "./steps/OptionsStep.tsx";
import { ProcessStep } from "./steps/ProcessStep.tsx";
import { SheetStep } from "./steps/SheetStep.tsx";
import type { StepState } from "./steps/Step.tsx";
import { TemplateStep } from "./steps/TemplateStep.tsx";
import { useRunActions } from "../../run/run-actions.tsx";
import { useRunNews } from "./session/use-run-news.ts";
import { type Scanner, useScanner } from "./use-scanner.ts";
import { WhenEmpty } from "./WhenEmpty.tsx";

const StationPanel = lazyPart(async () => (await import("./station/StationPanel.tsx")).StationPanel);
const PlanCard = lazyPart(async () => (await import("./plan/PlanCard.tsx")).PlanCard);
const SheetTable = lazyPart(async () => (await import("./lines/SheetTable.tsx")).SheetTable);
const ScannerResults = lazyPart(async () => (await import("./ScannerResults.tsx")).ScannerResults);
const StrayScans = lazyPart(async () => (await import("./station/StrayScans.ts")).StrayScans);
const PARTS = [PlanCard, SheetTable, StationPanel];

type ScannerTabProps = {
  profile: Profile | null;
  status: Status | null;
  /** A run started or ended, so totals elsewhere on the page changed. While a run is active, they keep changing. */
  onRunChanged: (isRunning: boolean) => void;
};

/** The Scanner tab: the four steps on the left, the current session and its results on the right. */
export function ScannerTab({ profile, status, onRunChanged }: ScannerTabProps) {
  usePreload(PARTS);
  const scanner = useScanner(profile);
  const { state, session, shownRows } = scanner;
  const station = useStation(scanner, profile);
  const tab = useRef<HTMLDivElement>(null);
  const announcement = useRunNews(scanner, onRunChanged);
  const control = useTableControl(session?.id ?? null);
  const lookups = useSessionLookupHistory(state.isCleared ? null : session, scanner.loading.kind === "ready");
  const isStarting = state.run === "starting";
  const sheet = state.sheet.kind === "ready" && !isAtWork(session) ? state.sheet : null;
  const isAdmin = profile?.role === "admin";
  // A new value refetches the plan: a run changes the cached certs first and the cached prices later.
  const known = session && `${session.id} ${session.status} ${session.prices.pending > 0}`;
  const planning = usePlan(isStarting ? null : sheet, state.options, known);
  const quota = useQuota(isAdmin, `${session?.id} ${session?.waits.map(({ message }) => message).join(" ")}`);
  const hasRows = useSyncExternalStore(shownRows.subscribe, () => shownRows.getSnapshot().length > 0);
  /** The sheet in the table: the chosen one, or the one just started until the run's rows arrive. */
  const inTable = sheet ?? (hasRows || state.isCleared ? null : state.started);
  const whenEmpty = <WhenEmpty scanner={scanner} />;
  const { noteFirstLine, takeFirstLine } = useFirstLine();

  return (
    <div ref={tab} className={styles.scanner}>
      <VisuallyHidden>
        <h1>Scanner</h1>
        {/* Each scan starts and ends a run; the station announces what matters. */}
        <output aria-live="polite">{station.isOpen ? "" : announcement}</output>
      </VisuallyHidden>
      <Suspense fallback={null}>
        <StrayScans station={station} tab={tab} />
      </Suspense>
      {station.isOpen && (
        <Box className={styles.rail ?? ""} bdrs="var(--sd-radius-panel)">
          <Boundary name="The scan station" loading={<Panel mih={160} />}>
            <StationPanel station={station} isRunning={isRunning(session)} status={status} />
          </Boundary>
        </Box>
      )}
      <div className={styles.rail} hidden={station.isOpen}>
        {isAdmin && <ServerCard />}
        <Boundary name="The steps">
          <ScannerRail scanner={scanner} planning={planning} quota={quota} status={status} station={station} />
        </Boundary>
      </div>
      <Stack gap={15} miw={0} className={styles.results ?? ""}>
        <Boundary name="This card" resetKey={sheet ?? session?.id}>
          {sheet && !station.isOpen ? (
            <Suspense fallback={<Panel mih={160} />}>
              <PlanCard
                summary={sheet.loaded.summary}
                planning={planning}
                hasQuota={isAdmin}
                hasPrices={state.options.includePricing}
              />
            </Suspense>
          ) : (
            session && (
              <CurrentSession
                key={session.id}
                scanner={scanner}
                session={session}
                control={control}
                scraping={status?.scraping ?? "on"}
              />
            )
          )}
        </Boundary>
        <Boundary
          name="The table"
          resetKey={inTable ?? session?.id}
          loading={
            // The top padding is the height of the toolbar's two lines.
            <Panel display="flex" mih={353} pt={93} style={{ flexDirection: "column" }}>
              <Center flex={1}>{whenEmpty}</Center>
            </Panel>
          }
        >
          {inTable && !station.isOpen ? (
            <SheetTable
              key={inTable.reading}
              loaded={inTable.loaded}
              planning={planning}
              choice={scanner.sheetChoice}
              isLocked={isStarting || sheet === null}
              onScrolled={noteFirstLine}
            />
          ) : (
            <ScannerResults {...{ scanner, control, lookups, whenEmpty, takeFirstLine }} />
          )}
        </Boundary>
      </Stack>
    </div>
  );
}

type ScannerRailProps = {
  scanner: Scanner;
  planning: Planning;
  quota: QuotaReading | null;
  status: Status | null;
  station: StationControl;
};

/** The four steps. During a run they show its settings. */
function ScannerRail({ scanner, planning, quota, status, station }: ScannerRailProps) {
  const { state, dispatch, session } = scanner;
  const running = isAtWork(session) ? session : null;
  const isProcessing = running !== null || state.run === "starting";
  const hasSheet = state.sheet.kind === "ready";
  const isPhone = useMediaQuery("(max-width: 40em)", undefined, { getInitialValueInEffect: false });
  const stepState: StepState = hasSheet || isProcessing ? "current" : "upcoming";
  // Admins see the limit from the quota; other users, from the waits in their plan.
  const isWaiting = planning.data !== undefined && isOutOfQuota(planning.data.plan);
  const isRateLimited = quota ? (quota.data?.limitedUntil ?? null) !== null : isWaiting;

  return (
    <>
      {session && !isProcessing && !hasSheet && (
        <Text fw={650} mb={10}>
          New lookup
        </Text>
      )}
      <ol aria-label="Steps of a run">
        <TemplateStep isBehind={hasSheet || isProcessing} />
        <SheetStep scanner={scanner} station={station} />
        <OptionsStep
          options={{
            ...state.options,
            ...(running && { mode: running.processingMode, includePricing: running.includePricing }),
          }}
          state={stepState}
          isLocked={isProcessing}
          status={status}
          quota={quota}
          isRateLimited={isRateLimited}
          isFolded={isProcessing && isPhone}
          onOptions={(options) => dispatch({ type: "options_chosen", options })}
        />
        <ProcessStep scanner={scanner} state={stepState} isProcessing={isProcessing} />
      </ol>
    </>
  );
}

/** The line of the sheet at the top of the table, from which the results table continues. */
function useFirstLine() {
  const firstLine = useRef<number | null>(null);
  const noteFirstLine = useCallback((line: number | null) => {
    firstLine.current = line;
  }, []);
  const takeFirstLine = useCallback(() => {
    const line = firstLine.current;
    firstLine.current = null;
    return line;
  }, []);
  return { noteFirstLine, takeFirstLine };
}

type CurrentSessionProps = {
  scanner: Scanner;
  session: ScanSession;
  control: TableControl;
  scraping: Status["scraping"];
};

function CurrentSession({ scanner, session, control, scraping }: CurrentSessionProps) {
  const { state, dispatch, rows } = scanner;
  const actions = useRunActions(session.id);
  const isBusy = actions.isBusy || state.run !== "idle";
  const table: TablePointer = {
    filter: control.filter,
    toggleFilter: (filter) => {
      dispatch({ type: "view_restored" });
      control.setFind("");
      control.setFilter(control.filter === filter ? "all" : filter);
    },
    editFirstInvalid: () => {
      dispatch({ type: "view_restored" });
      control.editFirst("invalid", rows);
    },
  };
  return (
    <SessionCard session={session} rows={rows} actions={{ ...actions, isBusy }} table={table} scraping={scraping} />
  );
}
