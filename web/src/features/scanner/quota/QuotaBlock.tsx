import { Button, Group, Progress, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { errorMessage } from "../../../api/error-messages.ts";
import { GhostLine } from "../../../ui/Skeletons.tsx";
import styles from "./QuotaBlock.module.css";
import { quotaSummary } from "./quota-messages.ts";
import type { QuotaReading } from "./use-quota.ts";

/** The PSA quota for admins: calls left today, the quota window, and the state of PSA's API. */
export function QuotaBlock({ reading: { data, error, isFetching, refetch } }: { reading: QuotaReading }): ReactNode {
  const quota = data && quotaSummary(data);
  const problem = quota ? null : error;
  return (
    <section
      className={styles.quota}
      data-level={quota?.level}
      data-limited={quota?.isLimited || undefined}
      aria-label="PSA quota"
      aria-busy={!quota && !problem}
    >
      <Group component="p" justify="space-between" gap={12} m={0} c="var(--sd-ink)" fz="sm" wrap="nowrap">
        <span>PSA quota</span>
        <strong className={styles.left}>{quota?.left ?? (problem ? "unknown" : <GhostLine width="5.5rem" />)}</strong>
      </Group>
      <Progress
        className={styles.meter ?? ""}
        classNames={{ section: styles.share ?? "" }}
        value={100 * (quota?.share ?? 0)}
        size={4}
        aria-hidden="true"
      />
      {quota?.assumption && <Text inherit>{quota.assumption}</Text>}
      {quota?.remark && <p className={styles.remark}>{quota.remark}</p>}
      {problem ? (
        <output className={styles.remark}>{errorMessage(problem)}</output>
      ) : (
        <Group {...FACTS} component="p" m={0}>
          <Fact name="Used today" value={quota?.usedToday} />
          <Fact name="Last reset" value={quota?.lastReset} />
        </Group>
      )}
      <Group {...FACTS} mt={2}>
        {problem ? (
          <Button size="compact-xs" onClick={() => void refetch()} loading={isFetching}>
            Try again
          </Button>
        ) : (
          <Fact name="Last checked" value={quota?.lastChecked} />
        )}
        <Button size="compact-xs" disabled title="The quota refreshes by itself">
          Refresh Quota
        </Button>
      </Group>
    </section>
  );
}

const FACTS = { justify: "space-between", gap: "0 12px" } as const;

function Fact({ name, value }: { name: string; value: string | undefined }): ReactNode {
  return (
    <Group component="span" gap={4} wrap="nowrap">
      {name} {value === undefined ? <GhostLine width="3rem" /> : <span className={styles.value}>{value}</span>}
    </Group>
  );
}
