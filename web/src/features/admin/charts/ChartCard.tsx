import { ActionIcon, Box, Center, Group, Stack, Text, Tooltip } from "@mantine/core";
import { IconChartBar, IconTable } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { Panel } from "../../../ui/Panel.tsx";
import { GhostLine } from "../../../ui/Skeletons.tsx";
import styles from "./AdminCharts.module.css";

type ChartCardProps = {
  title: string;
  total?: string;
  totalOf?: string;
  legend?: ReactNode;
  /** The data as a table, for reading or for screen readers. Omit it if the chart itself is accessible. */
  table?: ReactNode;
  nothing?: string | false;
  children?: ReactNode;
};

/** A chart with its title, total, and optional data table. Its height is constant. */
export function ChartCard(props: ChartCardProps) {
  const { title, total, totalOf, legend, table, nothing = false, children } = props;
  const [isTable, setIsTable] = useState(false);
  const swap = isTable ? "Show the chart" : "Show as table";
  const SwapIcon = isTable ? IconChartBar : IconTable;
  const chart =
    nothing === false ? (
      children
    ) : (
      <Center component="p" h="100%" mih={64} c="dimmed" fz="sm" ta="center">
        {nothing}
      </Center>
    );
  return (
    <Panel aria-label={title}>
      <Stack gap={4} h="100%" p="0.625rem 0.875rem 0.5rem">
        <Group gap="xs" mih={24} wrap="nowrap">
          <Text component="h2" truncate fz="sm" fw={600} lts="-0.005em">
            {title}
          </Text>
          {totalOf !== undefined && (
            <Text ml="auto" c="dimmed" fz="xs" style={{ whiteSpace: "nowrap" }}>
              {total !== undefined && <strong style={{ color: "var(--sd-ink)", fontWeight: 600 }}>{total}</strong>}{" "}
              {totalOf}
            </Text>
          )}
          {table !== undefined && (
            <Tooltip label={swap}>
              <ActionIcon
                size={24}
                mr={-4}
                c="dimmed"
                aria-label={`${title}: ${swap.toLowerCase()}`}
                onClick={() => setIsTable(!isTable)}
              >
                <SwapIcon size={15} stroke={1.75} aria-hidden="true" />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
        {legend}
        <Box pos="relative" flex={1} miw={0} mih={0}>
          {isTable && table !== undefined ? table : chart}
        </Box>
      </Stack>
    </Panel>
  );
}

const TITLES = ["Scans per day", "Market value looked up", "Upstream calls", "Success by cause", "Cards per user"];
const WIDTHS = ["72%", "46%", "58%", "31%"];

/** Placeholders for the five charts while they load. */
export function GhostCharts() {
  return (
    <div className={styles.charts} aria-busy="true">
      {TITLES.map((title) => (
        <ChartCard key={title} title={title}>
          <Stack gap={14} pt={20} aria-hidden="true">
            {WIDTHS.map((width) => (
              <GhostLine key={width} width={width} />
            ))}
          </Stack>
        </ChartCard>
      ))}
    </div>
  );
}
