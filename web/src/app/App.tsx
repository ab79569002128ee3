import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { getStatus } from "../api/sources.ts";
import { queryKeys } from "../api/query-keys.ts";
import { ChoosePasswordScreen } from "../features/account/ChoosePasswordScreen.tsx";
import { LoginScreen } from "../features/auth/LoginScreen.tsx";
import { CheckingScreen } from "./CheckingScreen.tsx";
import { GateFrame } from "./GateFrame.tsx";
import { Shell } from "./Shell.tsx";
import { UnreachableScreen } from "./UnreachableScreen.tsx";
import { useSessionGate } from "./use-session-gate.ts";

/** The server status rarely changes while a page is open. */
const STATUS_STALE_MS = 5 * 60_000;

export function App(): ReactNode {
  const { gate, check, submit, leave, onPasswordChosen } = useSessionGate();
  const status =
    useQuery({ queryKey: queryKeys.status(), queryFn: getStatus, staleTime: STATUS_STALE_MS }).data ?? null;

  if (gate.at === "checking") return <CheckingScreen />;
  if (gate.at === "signed-in" && !gate.profile.mustChangePassword)
    return <Shell admittedProfile={gate.profile} status={status} onLogout={leave} />;
  return (
    <GateFrame isDemo={status?.upstreams === "demo"}>
      {gate.at === "unreachable" && <UnreachableScreen error={gate.error} onRetry={() => void check()} />}
      {gate.at === "signed-out" && (
        <LoginScreen
          isBusy={gate.isBusy}
          message={gate.message}
          onSubmit={(email, password) => void submit(email, password)}
        />
      )}
      {gate.at === "signed-in" && (
        <ChoosePasswordScreen profile={gate.profile} onChosen={onPasswordChosen} onLogout={leave} />
      )}
    </GateFrame>
  );
}
