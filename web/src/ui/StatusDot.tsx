import type { ReactNode } from "react";
import styles from "./StatusDot.module.css";
import type { Tone } from "./tone.ts";

type StatusDotProps = {
  tone: Tone;
  /** The state as text, because color alone isn't accessible. */
  children: ReactNode;
  /** Pulses while work is in progress, unless the user prefers reduced motion. */
  isBusy?: boolean;
};

export function StatusDot({ tone, children, isBusy = false }: StatusDotProps) {
  return (
    <span className={styles.status} data-tone={tone}>
      <span className={styles.dot} data-busy={isBusy || undefined} aria-hidden="true" />
      {children}
    </span>
  );
}
