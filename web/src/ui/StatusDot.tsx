import type { ReactNode } from "react";
import classes from "./StatusDot.module.css";
import type { Tone } from "./tone.ts";

type StatusDotProps = {
  tone: Tone;
  /** The state in words: color alone says nothing to some. */
  children: ReactNode;
  /** Breathes while something is under way; still when reduced motion is asked for. */
  isBusy?: boolean;
};

export function StatusDot({ tone, children, isBusy = false }: StatusDotProps): ReactNode {
  return (
    <span className={classes.status} data-tone={tone}>
      <span className={classes.dot} data-busy={isBusy || undefined} aria-hidden="true" />
      {children}
    </span>
  );
}
