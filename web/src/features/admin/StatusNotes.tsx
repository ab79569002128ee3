import "@mantine/core/styles/Code.layer.css";
import { Code, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { statusQuery } from "../../api/status.ts";
import { Panel } from "../../ui/Panel.tsx";

/** Warns that other machines reach the server without https. */
export function UnencryptedNote() {
  if (useQuery(statusQuery).data?.isUnencrypted !== true) return null;
  return (
    <Panel aria-label="No https" p="1.25rem">
      <Text fz="sm" c="var(--sd-warn)">
        Other machines reach this server without https, so passwords are sent unencrypted. Put a proxy with https in
        front of the server, and set <Code>PUBLIC_URL</Code> to its https address.
      </Text>
    </Panel>
  );
}

export function DemoNote() {
  if (useQuery(statusQuery).data?.upstreams !== "demo") return null;
  return (
    <Panel aria-label="Demo" p="1.25rem">
      <Text fz="sm">
        This is a demo with a built-in simulator. To go live, stop the server, run <Code>npm run go-live</Code>, and
        start it again. It then has your accounts but no cards. The demo is kept. <Code>npm run go-demo</Code> returns
        to it.
      </Text>
    </Panel>
  );
}
