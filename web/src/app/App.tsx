import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { getStatus } from "../api/sources.ts";
import { queryKeys } from "../api/query-keys.ts";
import { Boundary } from "../ui/Boundary.tsx";
import { ChoosePasswordScreen } from "../features/account/ChoosePasswordScreen.tsx";
import { TwoStepScreen } from "../features/account/TwoStepScreen.tsx";
import { LoginScreen } from "../features/auth/LoginScreen.tsx";
import { CheckingScreen } from "./CheckingScreen.tsx";
import { ConnectionNotice } from "./ConnectionNotice.tsx";
import { GateFrame } from "./GateFrame.tsx";
import { Shell } from "./Shell.tsx";
import { UnreachableScreen } from "./UnreachableScreen.tsx";
import { useSessionGate } from "./use-session-gate.ts";

/** The server status rarely changes while a page is open. */
const STATUS_STALE_MS = 5 * 60_000;

export function App(): ReactNode {
  return (
    <>
      <ConnectionNotice />
      <Boundary name="The page">
        <Screen />
      </Boundary>
    </>
  );
}

function Screen(): ReactNode {
  const { gate, check, submit, startAgain, leave, onProfileChanged } = useSessionGate();
  const status =
    useQuery({ queryKey: queryKeys.status(), queryFn: getStatus, staleTime: STATUS_STALE_MS }).data ?? null;

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
