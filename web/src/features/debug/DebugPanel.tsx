import "@mantine/core/styles/Drawer.layer.css";
import { Button, Drawer, Stack } from "@mantine/core";
import type { Status } from "@slabdesk/contract/api/status.ts";
import { useIsFetching, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { verifyAuth } from "../../api/account.ts";
import { getStatus } from "../../api/sources.ts";
import { PROBES, ProbeCard } from "./ProbeCard.tsx";

const statusFacts = (status: Status) =>
  [
    ["Status", status.status],
    ["Environment", status.environment],
    ["Version", status.version],
    ["Upstreams", status.upstreams],
    ["Scraping", status.scraping],
  ] as const;

const verifyFacts = ({ valid, user }: Awaited<ReturnType<typeof verifyAuth>>) =>
  [
    ["Valid", String(valid)],
    ["User", user.fullName],
    ["Email", user.email],
    ["Role", user.role],
    ["Account", user.isActive ? "active" : "deactivated"],
  ] as const;

/** Does the server respond, and does it know the user? */
export function DebugPanel({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  const queryClient = useQueryClient();
  const isAsking = useIsFetching(PROBES) > 0;
  return (
    <Drawer opened={isOpen} onClose={onClose} title="Backend" size="26rem">
      <Stack gap="sm">
        <ProbeCard
          title="Backend status"
          path="status"
          okMessage="Server is responding"
          call={getStatus}
          facts={statusFacts}
        />
        <ProbeCard
          title="Auth verify"
          path="auth/verify"
          okMessage="Session is valid"
          call={verifyAuth}
          facts={verifyFacts}
        />
        <Button onClick={() => void queryClient.refetchQueries(PROBES)} disabled={isAsking}>
          Check again
        </Button>
      </Stack>
    </Drawer>
  );
}
