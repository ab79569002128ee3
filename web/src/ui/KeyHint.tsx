import type { ReactNode } from "react";
import styles from "./KeyHint.module.css";

/** The name of a shortcut key, beside its action. */
export function KeyHint({ children }: { children: string }): ReactNode {
  return <kbd className={styles.key}>{children}</kbd>;
}
