import type { ReactNode } from "react";
import styles from "./VisuallyHidden.module.css";

type VisuallyHiddenProps = { component?: "span" | "h1" | "output"; children: ReactNode };

/** Text for screen readers only. Each row of a table has several, which Mantine's component would make slow. */
export function VisuallyHidden({ component: Component = "span", children }: VisuallyHiddenProps) {
  return <Component className={styles.hidden}>{children}</Component>;
}
