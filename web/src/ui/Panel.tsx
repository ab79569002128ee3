import { Paper, type PaperProps } from "@mantine/core";
import type { ComponentPropsWithRef } from "react";

type PanelProps = PaperProps &
  Omit<ComponentPropsWithRef<"section">, keyof PaperProps> & {
    className?: string | undefined;
    /** `flush` removes the padding, for a table or list that draws its own borders. */
    padding?: "normal" | "flush";
  };

/** A bordered surface. It is a region, so give it `aria-label` or `aria-labelledby`. */
export function Panel({ padding = "normal", className = "", ...rest }: PanelProps) {
  const padded = padding === "normal" && { p: "1.25rem" };
  return <Paper component="section" withBorder radius="xl" shadow="xs" className={className} {...padded} {...rest} />;
}
