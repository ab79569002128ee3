import type { ReactNode } from "react";
import classes from "./SectionHeading.module.css";

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
    <div className={classes.row}>
      <div className={classes.message}>
        <Heading className={classes.title} data-level={level} id={id}>
          {title}
        </Heading>
        {hint !== undefined && <p className={classes.hint}>{hint}</p>}
      </div>
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </div>
  );
}
