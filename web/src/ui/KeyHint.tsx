import type { ReactNode } from "react";
import classes from "./KeyHint.module.css";

/** The name of a shortcut key, beside its action. */
export function KeyHint({ children }: { children: string }): ReactNode {
  return <kbd className={classes.key}>{children}</kbd>;
}
