import { Button, Drawer, Stack } from "@mantine/core";
import type { Status } from "@slabdesk/contract/api/status.ts";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { verifyAuth } from "../../api/account.ts";
import { getStatus } from "../../api/sources.ts";
import styles from "./DebugBackend.module.css";
import { probe } from "./probe.ts";
import { ProbeCard } from "./ProbeCard.tsx";

type Verification = Awaited<ReturnType<typeof verifyAuth>>;

const statusFacts = (status: Status) =>
  [
    ["Status", status.status],
    ["Environment", status.environment],
    ["Version", status.version],
    ["Upstreams", status.upstreams],
    ["Scraping", status.scraping],
  ] as const;

const verifyFacts = ({ valid, user }: Verification) =>
  [
    ["Valid", String(valid)],
    ["User", user.fullName],
    ["Email", user.email],
    ["Role", user.role],
    ["Account", user.isActive ? "active" : "deactivated"],
  ] as const;

/** The debug button at the lower left and its panel: does the server respond, and does it know the user? */
export function DebugBackend(): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const always = { enabled: isOpen, staleTime: 0, gcTime: 0 } as const;
  const status = useQuery({ queryKey: ["debug", "status"], queryFn: () => probe(getStatus), ...always });
  const auth = useQuery({ queryKey: ["debug", "verify"], queryFn: () => probe(verifyAuth), ...always });

  function ask(): void {
    void status.refetch();
    void auth.refetch();
  }

  return (
    <>
      <Button className={styles.button} size="compact-sm" onClick={() => setIsOpen(true)}>
        DEBUG BACKEND
      </Button>
      <Drawer opened={isOpen} onClose={() => setIsOpen(false)} title="Backend" size="26rem">
        <Stack gap="sm">
          <ProbeCard
            title="Backend status"
            path="/api/status"
            okMessage="Server answers"
            result={status.isFetching ? null : (status.data ?? null)}
            facts={statusFacts}
          />
          <ProbeCard
            title="Auth verify"
            path="/api/auth/verify"
            okMessage="Session is valid"
            result={auth.isFetching ? null : (auth.data ?? null)}
            facts={verifyFacts}
          />
          <Button onClick={ask} disabled={status.isFetching || auth.isFetching}>
            Check again
          </Button>
        </Stack>
      </Drawer>
    </>
  );
}
