import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { Group, Text } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { ByHandTag, CompanyTag, GradeChip } from "./chips.tsx";
import styles from "./CardParts.module.css";

type SectionProps = {
  /** The accessible name. */
  label: string;
  /** The heading, if it isn't the label. */
  title?: ReactNode;
  /** At the right end of the heading. */
  side?: ReactNode;
  children: ReactNode;
};

/** A part of the card view with a heading. */
export function Section({ label, title = label, side, children }: SectionProps) {
  return (
    <section aria-label={label}>
      <Group gap="2px 8px" justify="space-between" mb={8}>
        <Text component="h3" fw={600}>
          {title}
        </Text>
        {side}
      </Group>
      {children}
    </section>
  );
}

type FactsProps = {
  /** `list` has one fact a line, `grid` three. */
  variant: "list" | "grid";
  children: ReactNode;
};

export function Facts({ variant, children }: FactsProps) {
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

/** A dimmed remark. */
export function Remark({ children }: { children: ReactNode }) {
  return (
    <Text c="dimmed" fz="xs" fw={400}>
      {children}
    </Text>
  );
}

/** The company, number and grade that identify a slab. */
export function SlabFacts({ row }: { row: ResultRow }) {
  return (
    <>
      <CompanyTag company={row.gradingCompany} />
      <span className={styles.number}>{row.certNumber}</span>
      {row.grade !== NOT_AVAILABLE && <GradeChip grade={row.grade} />}
      <ByHandTag row={row} />
    </>
  );
}

/** A link to the grader's page. */
export function CertLink({ href }: { href: string }) {
  return (
    <a className={styles.link} href={href} target="_blank" rel="noreferrer">
      View Cert <IconExternalLink size={14} aria-hidden="true" />
    </a>
  );
}
