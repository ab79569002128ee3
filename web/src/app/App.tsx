import { Center, Group, Loader, Paper, Stack, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect } from "react";
import { onReconnection, useIsConnected } from "../api/connection.ts";
import { loadProblem } from "../api/errors.ts";
import { statusQuery } from "../api/status.ts";
import { LoginScreen } from "../features/auth/LoginScreen.tsx";
import { Boundary } from "../ui/Boundary.tsx";
import { ErrorPanel } from "../ui/ErrorPanel.tsx";
import { lazyPart, useEver } from "../ui/lazy-part.tsx";
import { VisuallyHidden } from "../ui/text/VisuallyHidden.tsx";
import { Brand, DemoBadge, Footer, SlabMark } from "./Brand.tsx";
import { ColorSchemeToggle } from "./ColorSchemeToggle.tsx";
import { useSessionGate } from "./use-session-gate.ts";

// The sign-in page is small: what follows it is loaded when someone is about to sign in.
const Shell = lazyPart(async () => (await import("./Shell.tsx")).Shell);
const Toasts = lazyPart(async () => (await import("./Toasts.tsx")).Toasts);
const AccountGate = lazyPart(async () => (await import("../features/account/AccountGate.tsx")).AccountGate);

export function App() {
  return (
    <>
      <ConnectionNotice />
      <Boundary name="The page" loading={<CheckingScreen />}>
        <Screen />
      </Boundary>
    </>
  );
}

function Screen() {
  const control = useSessionGate(Shell.preload);
  const hasEntered = useEver(control.gate.at === "signed-in");

  return (
    <>
      {hasEntered && (
        <Suspense fallback={null}>
          <Toasts />
        </Suspense>
      )}
      <GateScreen {...control} />
    </>
  );
}

/** The app, or a frame with the screen before it. */
function GateScreen(control: ReturnType<typeof useSessionGate>) {
  const { gate, check, submit, startAgain, leave, onProfileChanged } = control;
  const isDemo = useQuery(statusQuery).data?.upstreams === "demo";
  if (gate.at === "checking") return <CheckingScreen />;
  if (gate.at === "signed-in" && !gate.profile.mustChangePassword && !gate.profile.mustSetUpTwoStep)
    return <Shell admittedProfile={gate.profile} onLogout={leave} />;
  return (
    <Stack gap={0} mih="100dvh">
      <Group
        component="header"
        justify="space-between"
        mih="var(--sd-header-height)"
        px="var(--sd-gutter)"
        bg="var(--sd-surface)"
        style={{ borderBottom: "1px solid var(--sd-line)" }}
      >
        <Group>
          <Brand />
          {isDemo && <DemoBadge />}
        </Group>
        <ColorSchemeToggle />
      </Group>
      <Center component="main" flex={1} px="var(--sd-gutter)" py="xl">
        {gate.at === "unreachable" && (
          <Stack align="center" w="100%" maw="32rem">
            <SlabMark height={40} />
            <Title>Slabdesk is not available</Title>
            <ErrorPanel {...loadProblem({ error: gate.error, isFetching: false, refetch: check })} />
          </Stack>
        )}
        {gate.at === "signed-out" && (
          <LoginScreen
            {...gate}
            onTyping={Shell.preload}
            onSubmit={(credentials) => void submit(credentials)}
            onStartAgain={startAgain}
          />
        )}
        {gate.at === "signed-in" && (
          <AccountGate profile={gate.profile} onProfileChanged={onProfileChanged} onLogout={leave} />
        )}
      </Center>
      <Footer isDemo={isDemo} />
    </Stack>
  );
}

/** Shown at page load, before the auth check completes. */
function CheckingScreen() {
  return (
    <Stack component="main" align="center" justify="center" gap="1.25rem" mih="100dvh">
      <VisuallyHidden component="h1">Slabdesk</VisuallyHidden>
      <SlabMark height={40} />
      <Group component="output" gap="xs" fz="md" c="dimmed">
        <Loader size={16} aria-hidden="true" />
        Checking authentication…
      </Group>
    </Stack>
  );
}

/** Says over every screen that the server doesn't answer, and reloads what is shown once it does. */
function ConnectionNotice() {
  const isConnected = useIsConnected();
  const queryClient = useQueryClient();
  useEffect(() => onReconnection(() => void queryClient.invalidateQueries()), [queryClient]);
  return (
    <Center component="output" pos="fixed" inset="auto 1rem 1rem" style={{ zIndex: 400, pointerEvents: "none" }}>
      {!isConnected && (
        <Paper px="0.875rem" py="0.5rem" shadow="md" bg="var(--sd-bad-soft)" c="var(--sd-bad)" fz="md" fw={500}>
          Connection lost. Reconnecting… Your run continues on the server.
        </Paper>
      )}
    </Center>
  );
}
