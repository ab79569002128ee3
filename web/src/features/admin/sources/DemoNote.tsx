import "@mantine/core/styles/Code.layer.css";
import { Code, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { queryKeys } from "../../../api/query-keys.ts";
import { getStatus } from "../../../api/sources.ts";
import { Panel } from "../../../ui/Panel.tsx";

/** Says how a demo goes live. */
export function DemoNote(): ReactNode {
  const status = useQuery({ queryKey: queryKeys.status(), queryFn: getStatus, staleTime: Number.POSITIVE_INFINITY });
  if (status.data?.upstreams !== "demo") return null;
  return (
    <Panel aria-label="Demo">
      <Text fz="sm">
        This is a demo with a built-in simulator. To go live, stop the server, run <Code>npm run go-live</Code>, and
        start it again. It then has your accounts but no cards. The demo is kept. <Code>npm run go-demo</Code> returns
        to it.
      </Text>
    </Panel>
  );
}
