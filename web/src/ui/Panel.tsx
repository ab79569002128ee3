import { Paper, type PaperProps } from "@mantine/core";
import type { ComponentPropsWithRef, ReactNode } from "react";

type PanelProps = PaperProps &
  Omit<ComponentPropsWithRef<"section">, keyof PaperProps> & {
    className?: string | undefined;
    /** `flush` removes the padding, for a table or list that draws its own borders. */
    padding?: "normal" | "flush";
  };

/** A bordered surface. It is a region, so give it `aria-label` or `aria-labelledby`. */
export function Panel({ padding = "normal", className = "", ...rest }: PanelProps): ReactNode {
  const p = padding === "normal" ? "1.25rem" : undefined;
  return <Paper component="section" withBorder radius="xl" shadow="xs" p={p} className={className} {...rest} />;
}
