import type { ReactNode } from "react";
import styles from "./KeyHint.module.css";

export function KeyHint({ children }: { children: string }): ReactNode {
  return <kbd className={styles.key}>{children}</kbd>;
}
