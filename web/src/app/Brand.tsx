import type { ReactNode } from "react";
import { SlabMark } from "../ui/SlabMark.tsx";
import { Tag } from "../ui/Tag.tsx";
import styles from "./Brand.module.css";

/** The logo and name, the same on every screen. */
export function Brand(): ReactNode {
  return (
    <span className={styles.brand}>
      <SlabMark />
      <span className={styles.name}>Slabdesk</span>
    </span>
  );
}

/** Shown on every screen while the upstreams are simulated. */
export function DemoBadge(): ReactNode {
  return (
    <span title="Cards, pictures and prices come from a simulator, not from the grading companies">
      <Tag tone="warn">Demo data</Tag>
    </span>
  );
}

export function Footer(): ReactNode {
  return <footer className={styles.footer}>Slabdesk · all rights reserved 2025</footer>;
}
