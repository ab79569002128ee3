import type { ReactNode } from "react";
import styles from "./SlabStack.module.css";

const SLABS = [
  { color: "var(--sd-tag)", turn: "rotate(9 150 190) translate(74 6)" },
  { color: "var(--sd-cgc)", turn: "rotate(1 150 190) translate(36 16)" },
  { color: "var(--sd-psa)", turn: "rotate(-7 150 190) translate(-2 30)" },
] as const;

/** The company's color on the surface. */
const tint = (percent: number): string => `color-mix(in oklab, currentcolor ${percent}%, var(--sd-surface))`;

/** Three slabs, one per company: decoration of the login screen on wide screens. */
export function SlabStack(): ReactNode {
  return (
    <svg className={styles.stack} viewBox="0 0 340 400" aria-hidden="true" focusable="false">
      {SLABS.map(({ color, turn }) => (
        <g key={color} transform={turn} color={color}>
          <rect className={styles.case} x="30" y="20" width="200" height="320" rx="16" />
          <rect fill="var(--sd-canvas)" x="44" y="34" width="172" height="58" rx="7" />
          <rect fill="currentcolor" x="44" y="34" width="10" height="58" rx="3" />
          <rect fill="var(--sd-ink)" x="66" y="46" width="84" height="6" rx="3" />
          <rect fill="var(--sd-line)" x="66" y="59" width="62" height="5" rx="2.5" />
          <rect fill="var(--sd-line)" x="66" y="71" width="74" height="5" rx="2.5" />
          <rect fill="currentcolor" x="178" y="46" width="26" height="34" rx="6" />
          <rect fill={tint(14)} x="52" y="106" width="156" height="220" rx="10" />
          <circle fill={tint(32)} cx="130" cy="190" r="40" />
          <rect fill={tint(24)} x="68" y="284" width="124" height="26" rx="6" />
        </g>
      ))}
    </svg>
  );
}
