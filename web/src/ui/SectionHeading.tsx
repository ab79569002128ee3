import type { ReactNode } from "react";
import styles from "./SectionHeading.module.css";

type SectionHeadingProps = {
  title: string;
  /** 1 for a screen's heading, 2 for a panel's. */
  level?: 1 | 2 | 3;
  id?: string;
  /** A line below the title. */
  hint?: ReactNode;
  /** Buttons at the right end. */
  actions?: ReactNode;
};

export function SectionHeading({ title, level = 2, id, hint, actions }: SectionHeadingProps): ReactNode {
  const Heading = `h${level}` as const;
  return (
    <div className={styles.row}>
      <div className={styles.message}>
        <Heading className={styles.title} data-level={level} id={id}>
          {title}
        </Heading>
        {hint !== undefined && <p className={styles.hint}>{hint}</p>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
