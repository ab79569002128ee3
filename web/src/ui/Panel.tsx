import { Paper, type PaperProps } from "@mantine/core";
import type { ComponentPropsWithRef } from "react";

type PanelProps = PaperProps &
  Omit<ComponentPropsWithRef<"section">, keyof PaperProps> & { className?: string | undefined };

/** A bordered surface without padding. It is a region, so give it an accessible name. */
export function Panel({ className = "", ...rest }: PanelProps) {
  return <Paper component="section" withBorder radius="xl" shadow="xs" className={className} {...rest} />;
}
