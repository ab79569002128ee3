import type { Status } from "@slabdesk/contract/api/status.ts";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense } from "react";
import { getStatus } from "../api/status.ts";
import { queryKeys } from "../api/query-keys.ts";
import { Boundary } from "../ui/Boundary.tsx";
import { lazyPart, useEver } from "../ui/lazy-part.tsx";
import { LoginScreen } from "../features/auth/LoginScreen.tsx";
import { CheckingScreen } from "./CheckingScreen.tsx";
import { ConnectionNotice } from "./ConnectionNotice.tsx";
import { GateFrame } from "./GateFrame.tsx";
import { UnreachableScreen } from "./UnreachableScreen.tsx";
import { useSessionGate } from "./use-session-gate.ts";

// The sign-in page is small: what follows it is loaded when someone is about to sign in.
const Shell = lazyPart(async () => (await import("./Shell.tsx")).Shell);
const Toasts = lazyPart(async () => (await import("./Toasts.tsx")).Toasts);
const ChoosePasswordScreen = lazyPart(
  async () => (await import("../features/account/GateScreens.tsx")).ChoosePasswordScreen,
);
const TwoStepScreen = lazyPart(async () => (await import("../features/account/GateScreens.tsx")).TwoStepScreen);

/** The server status rarely changes while a page is open. */
const STATUS_STALE_MS = 5 * 60_000;

export function App(): ReactNode {
  return (
    <>
      <ConnectionNotice />
      <Boundary name="The page">
        <Suspense fallback={<CheckingScreen />}>
          <Screen />
        </Suspense>
      </Boundary>
    </>
  );
}

function Screen(): ReactNode {
  const control = useSessionGate(Shell.preload);
  const status =
    useQuery({ queryKey: queryKeys.status(), queryFn: getStatus, staleTime: STATUS_STALE_MS }).data ?? null;
  const hasEntered = useEver(control.gate.at === "signed-in");

  return (
    <>
      {hasEntered && (
        <Suspense fallback={null}>
          <Toasts />
        </Suspense>
      )}
      <GateScreen control={control} status={status} />
    </>
  );
}

type GateScreenProps = { control: ReturnType<typeof useSessionGate>; status: Status | null };

function GateScreen({ control, status }: GateScreenProps): ReactNode {
  const { gate, check, submit, startAgain, leave, onProfileChanged } = control;
  if (gate.at === "checking") return <CheckingScreen />;
  if (gate.at === "signed-in" && !gate.profile.mustChangePassword && !gate.profile.mustSetUpTwoStep)
    return <Shell admittedProfile={gate.profile} status={status} onLogout={leave} />;
  return (
    <GateFrame isDemo={status?.upstreams === "demo"}>
      {gate.at === "unreachable" && <UnreachableScreen error={gate.error} onRetry={() => void check()} />}
      {gate.at === "signed-out" && (
        <LoginScreen
          isBusy={gate.isBusy}
          message={gate.message}
          needsCode={gate.needsCode}
          onTyping={Shell.preload}
          onSubmit={(credentials) => void submit(credentials)}
          onStartAgain={startAgain}
        />
      )}
      {gate.at === "signed-in" && gate.profile.mustChangePassword && (
        <ChoosePasswordScreen profile={gate.profile} onChosen={onProfileChanged} onLogout={leave} />
      )}
      {gate.at === "signed-in" && !gate.profile.mustChangePassword && (
        <TwoStepScreen
          onDone={() => onProfileChanged({ hasTwoStep: true, mustSetUpTwoStep: false })}
          onLogout={leave}
        />
      )}
    </GateFrame>
  );
}
