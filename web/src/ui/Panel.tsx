import type { ComponentPropsWithRef, ReactNode } from "react";
import styles from "./Panel.module.css";

type PanelProps = ComponentPropsWithRef<"section"> & {
  /** `flush` removes the padding, for a table or list that draws its own borders. */
  padding?: "normal" | "flush";
};

/** A bordered surface. It is a region, so give it `aria-label` or `aria-labelledby`. */
export function Panel({ padding = "normal", className, ...rest }: PanelProps): ReactNode {
  const names = [styles.panel, padding === "normal" ? styles.padded : undefined, className];
  return <section className={names.filter(Boolean).join(" ")} {...rest} />;
}
