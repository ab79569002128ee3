import type { ReactNode } from "react";
import classes from "./KeyHint.module.css";

/** The name of a key, as a quiet cap beside what it does. */
export function KeyHint({ children }: { children: string }): ReactNode {
  return <kbd className={classes.key}>{children}</kbd>;
}
