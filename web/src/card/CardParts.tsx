import { Box, Group, Text, type TextProps } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import type { ReactNode } from "react";
import styles from "./CardParts.module.css";

type SectionProps = { label: string; remark?: string | null; side?: ReactNode; children: ReactNode };

/** A part of the card view, with its label and a remark as heading. */
export function Section({ label, remark, side, children }: SectionProps) {
  return (
    <Box component="section" py={16} style={{ borderTop: "1px solid var(--sd-line)" }} aria-label={label}>
      <Group gap="2px 8px" justify="space-between" mb={8}>
        <Text component="h3" fw={600}>
          {label} {remark && <Remark span>{remark}</Remark>}
        </Text>
        {side}
      </Group>
      {children}
    </Box>
  );
}

/** `list` has one fact a line, `grid` two, or four in a wide market section. */
export function Facts({ variant, children }: { variant: "list" | "grid"; children: ReactNode }) {
  return (
    <dl className={styles.facts} data-variant={variant}>
      {children}
    </dl>
  );
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A dimmed remark; with `span`, within a line of text. */
export function Remark(props: TextProps & { children: ReactNode }) {
  return <Text c="dimmed" fz="xs" fw={400} {...props} />;
}

export function CertLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className={styles.link} href={href} target="_blank" rel="noreferrer">
      {children} <IconExternalLink size={14} aria-hidden="true" />
    </a>
  );
}
