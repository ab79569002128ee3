import type { Profile } from "@slabdesk/contract/api/people.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { Status } from "@slabdesk/contract/api/status.ts";
import { useMediaQuery } from "@mantine/hooks";
import type { ReactNode } from "react";
import { StepRail, type StepState } from "../../ui/StepRail.tsx";
import { isOutOfQuota } from "./plan/plan-messages.ts";
import { isAtWork, isRunning, problemOf, type ScannerState, sessionOf, summaryOf } from "./scanner-state.ts";
import { OptionsStep } from "./steps/OptionsStep.tsx";
import { PlanCard } from "./plan/PlanCard.tsx";
import { ProcessStep } from "./steps/ProcessStep.tsx";
import { selectedMessage, SheetStep } from "./steps/SheetStep.tsx";
import { TemplateStep } from "./steps/TemplateStep.tsx";
import { type Planning, usePlan } from "./plan/use-plan.ts";
import { type QuotaReading, useQuota } from "./quota/use-quota.ts";
import type { Scanner } from "./use-scanner.ts";

type ScannerRailProps = {
  scanner: Scanner;
  profile: Profile | null;
  scraping: Status["scraping"];
  priceSources: Status["priceSources"] | null;
  /** The scan station link. */
  stationEntry: ReactNode;
};

/** The four steps, with the sheet's plan in the third. During a run they show its settings. */
export function ScannerRail({ scanner, profile, scraping, priceSources, stationEntry }: ScannerRailProps) {
  const { state, dispatch, sheetChoice, start, stop } = scanner;
  const session = sessionOf(state.run);
  const running = isAtWork(state.run) ? session : null;
  const isProcessing = running !== null || state.run.kind === "starting";
  const hasSheet = state.sheet.kind === "ready";
  const isPhone = useMediaQuery("(max-width: 40em)", undefined, { getInitialValueInEffect: false });
  const planned = state.sheet.kind === "ready" && !isProcessing ? state.sheet : null;
  const planning = usePlan(planned, state.options, session && whatIsKnownAfter(session));
  const isAdmin = profile?.role === "admin";
  const quota = useQuota(isAdmin, running !== null);
  const optionsState: StepState = hasSheet || isProcessing ? "current" : "upcoming";

  return (
    <StepRail label="Steps of a run">
      <TemplateStep
        isDone={state.hasTemplate || hasSheet || isProcessing}
        onDownloaded={() => dispatch({ type: "template_downloaded" })}
      />
      <SheetStep
        sheet={state.sheet}
        sessionName={state.sessionName}
        foldedTo={foldedSheet(state)}
        choice={sheetChoice}
        onName={(sessionName) => dispatch({ type: "name_typed", sessionName })}
        onQuestion={(isOpen) => dispatch({ type: "question_turned", isOpen })}
        stationEntry={stationEntry}
      />
      <OptionsStep
        options={
          running
            ? { ...state.options, mode: running.processingMode, includePricing: running.includePricing }
            : state.options
        }
        state={optionsState}
        isLocked={isProcessing}
        scraping={scraping}
        priceSources={priceSources}
        quota={quota}
        isRateLimited={isLimited(quota, planning)}
        isFolded={isProcessing && isPhone}
        onMode={(mode) => dispatch({ type: "mode_chosen", mode })}
        onReuse={(reuseKnown) => dispatch({ type: "reuse_chosen", reuseKnown })}
        onPricing={(includePricing) => dispatch({ type: "pricing_chosen", includePricing })}
      >
        {planned && (
          <PlanCard
            summary={summaryOf(planned.loaded, state.options)}
            planning={planning}
            hasQuota={isAdmin}
            hasPrices={state.options.includePricing}
            isAccepted={state.options.acceptCompanies}
            onAccept={(acceptCompanies) => dispatch({ type: "companies_chosen", acceptCompanies })}
          />
        )}
      </OptionsStep>
      <ProcessStep
        state={hasSheet || isProcessing ? "current" : "upcoming"}
        isProcessing={isProcessing}
        isLooking={state.run.kind === "looking"}
        isStopping={state.run.kind === "attached" && state.run.isStopping}
        onStop={isRunning(state.run) ? stop : null}
        onStart={start}
        problem={problemOf(state.run)}
      />
    </StepRail>
  );
}

/** A new value refetches the plan: a run changes the cached certs first and the cached prices later. */
function whatIsKnownAfter({ id, status, prices }: ScanSession): string {
  return `${id} ${status} ${prices.pending > 0 ? "with prices to come" : ""}`;
}

/** Admins see the limit from the quota; other users, from the waits in their plan. */
function isLimited(quota: QuotaReading | null, planning: Planning): boolean {
  if (quota) return quota.kind === "known" && quota.status.limitedUntil !== null;
  return planning.kind === "planned" && isOutOfQuota(planning.plan);
}

/**
 * The sheet line during a run. It comes from the session, because the file may have been chosen before a reload or on
 * another computer.
 */
function foldedSheet({ run, sheet }: ScannerState): string | null {
  if (isAtWork(run)) {
    const session = sessionOf(run);
    return session && selectedMessage(session.csvFilename, session.totalCards);
  }
  return run.kind === "starting" && sheet.kind === "ready"
    ? selectedMessage(sheet.fileName, sheet.loaded.summaries.asTyped.rowCount)
    : null;
}
