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

  switch (gate.at) {
    case "checking":
      return <CheckingScreen />;
    case "unreachable":
      return (
        <GateFrame isDemo={status?.upstreams === "demo"}>
          <UnreachableScreen error={gate.error} onRetry={() => void check()} />
        </GateFrame>
      );
    case "signed-out":
      return (
        <GateFrame isDemo={status?.upstreams === "demo"}>
          <LoginScreen
            isBusy={gate.isBusy}
            message={gate.message}
            onSubmit={(email, password) => void submit(email, password)}
          />
        </GateFrame>
      );
    case "signed-in":
      if (gate.profile.mustChangePassword)
        return (
          <GateFrame isDemo={status?.upstreams === "demo"}>
            <ChoosePasswordScreen profile={gate.profile} onChosen={onPasswordChosen} onLogout={leave} />
          </GateFrame>
        );
      return <Shell admittedProfile={gate.profile} status={status} onLogout={leave} />;
  }
}
