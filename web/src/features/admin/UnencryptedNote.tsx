import "@mantine/core/styles/Code.layer.css";
import { Code, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { queryKeys } from "../../api/query-keys.ts";
import { getStatus } from "../../api/sources.ts";
import { Panel } from "../../ui/Panel.tsx";

/** Warns that other machines reach the server without https. */
export function UnencryptedNote(): ReactNode {
  const status = useQuery({ queryKey: queryKeys.status(), queryFn: getStatus, staleTime: Number.POSITIVE_INFINITY });
  if (status.data?.isUnencrypted !== true) return null;
  return (
    <Panel aria-label="No https">
      <Text fz="sm" c="var(--sd-warn)">
        Other machines reach this server without https, so passwords are sent unencrypted. Put a proxy with https in
        front of the server, and set <Code>PUBLIC_URL</Code> to its https address.
      </Text>
    </Panel>
  );
}
