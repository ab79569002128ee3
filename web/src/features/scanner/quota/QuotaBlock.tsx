import { Button, Progress } from "@mantine/core";
import type { ReactNode } from "react";
import { GhostLine } from "../../../ui/Skeletons.tsx";
import { type QuotaView, quotaView } from "./quota-messages.ts";
import type { QuotaReading } from "./use-quota.ts";
import styles from "./QuotaBlock.module.css";

/** The PSA quota for admins: calls left today, the quota window, and the state of PSA's API. */
export function QuotaBlock({ reading }: { reading: QuotaReading }): ReactNode {
  const view = reading.kind === "known" ? quotaView(reading.status) : null;
  return (
    <section
      className={styles.quota}
      data-level={view?.level}
      data-limited={view?.isLimited || undefined}
      aria-label="PSA quota"
      aria-busy={reading.kind === "loading"}
    >
      <p className={styles.head}>
        <span className={styles.title}>PSA quota</span>
        <strong className={styles.left}>
          {view?.left ?? (reading.kind === "loading" ? <GhostLine width="5.5rem" /> : "unknown")}
        </strong>
      </p>
      <Progress
        className={styles.meter ?? ""}
        classNames={{ section: styles.share ?? "" }}
        value={100 * (view?.share ?? 0)}
        size={4}
        aria-hidden="true"
      />
      {view?.remark && <p className={styles.remark}>{view.remark}</p>}
      {reading.kind === "failed" ? <output className={styles.remark}>{reading.problem}</output> : <Facts view={view} />}
      <div className={styles.foot}>
        {reading.kind === "failed" ? (
          <Button size="compact-xs" onClick={reading.retry} loading={reading.isAsking}>
            Try again
          </Button>
        ) : (
          <Fact name="Last checked" value={view?.lastChecked} />
        )}
        <Button size="compact-xs" disabled title="The figures refresh by themselves">
          Refresh Quota
        </Button>
      </div>
    </section>
  );
}

function Facts({ view }: { view: QuotaView | null }): ReactNode {
  return (
    <p className={styles.facts}>
      <Fact name="Used today" value={view?.usedToday} />
      <Fact name="Last reset" value={view?.lastReset} />
    </p>
  );
}

function Fact({ name, value }: { name: string; value: string | undefined }): ReactNode {
  return (
    <span className={styles.fact}>
      {name} {value === undefined ? <GhostLine width="3rem" /> : <span className={styles.value}>{value}</span>}
    </span>
  );
}
