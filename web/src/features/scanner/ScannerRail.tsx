import type { Status } from "@slabdesk/contract/api/status.ts";
import { Box, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { StepState } from "./steps/Step.tsx";
import { isOutOfQuota } from "./plan/plan-messages.ts";
import { isAtWork } from "./scanner-state.ts";
import { OptionsStep } from "./steps/OptionsStep.tsx";
import { ProcessStep } from "./steps/ProcessStep.tsx";
import { SheetStep } from "./steps/SheetStep.tsx";
import { TemplateStep } from "./steps/TemplateStep.tsx";
import type { Planning } from "./plan/use-plan.ts";
import type { QuotaReading } from "./quota/QuotaBlock.tsx";
import type { StationControl } from "./station/use-station.ts";
import type { Scanner } from "./use-scanner.ts";

type ScannerRailProps = {
  scanner: Scanner;
  planning: Planning;
  quota: QuotaReading | null;
  status: Status | null;
  station: StationControl;
};

/** The four steps. During a run they show its settings. */
export function ScannerRail({ scanner, planning, quota, status, station }: ScannerRailProps) {
  const { state, dispatch, session } = scanner;
  const running = isAtWork(session) ? session : null;
  const isProcessing = running !== null || state.run === "starting";
  const hasSheet = state.sheet.kind === "ready";
  const isPhone = useMediaQuery("(max-width: 40em)", undefined, { getInitialValueInEffect: false });
  const stepState: StepState = hasSheet || isProcessing ? "current" : "upcoming";

  return (
    <>
      {session && !isProcessing && !hasSheet && (
        <Text fw={650} mb={10}>
          New lookup
        </Text>
      )}
      <Box component="ol" m={0} p={0} style={{ listStyle: "none" }} aria-label="Steps of a run">
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
          isRateLimited={isLimited(quota, planning)}
          isFolded={isProcessing && isPhone}
          onOptions={(options) => dispatch({ type: "options_chosen", options })}
        />
        <ProcessStep scanner={scanner} state={stepState} isProcessing={isProcessing} />
      </Box>
    </>
  );
}

/** Admins see the limit from the quota; other users, from the waits in their plan. */
function isLimited(quota: QuotaReading | null, planning: Planning): boolean {
  if (quota) return (quota.data?.limitedUntil ?? null) !== null;
  return planning.data !== undefined && isOutOfQuota(planning.data.plan);
}
