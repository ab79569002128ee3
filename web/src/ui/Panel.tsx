import type { ComponentPropsWithRef, ReactNode } from "react";
import classes from "./Panel.module.css";

type PanelProps = ComponentPropsWithRef<"section"> & {
  /** `flush` leaves the inside to a table or list that draws its own hairlines. */
  padding?: "normal" | "flush";
};

/** A surface with a hairline around it. Give it `aria-label` or `aria-labelledby`: it is a region of the page. */
export function Panel({ padding = "normal", className, ...rest }: PanelProps): ReactNode {
  const names = [classes.panel, padding === "normal" ? classes.padded : undefined, className];
  return <section className={names.filter(Boolean).join(" ")} {...rest} />;
}
