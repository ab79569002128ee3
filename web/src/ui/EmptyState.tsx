import type { ReactNode } from "react";
import classes from "./EmptyState.module.css";

type EmptyStateProps = {
  /** A quiet drawing or icon; decoration only. */
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
};

/** What a panel shows when it has nothing to show yet. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps): ReactNode {
  return (
    <div className={classes.empty}>
      {icon !== undefined && (
        <div className={classes.icon} aria-hidden="true">
          {icon}
        </div>
      )}
      <p className={classes.title}>{title}</p>
      {children !== undefined && <div className={classes.text}>{children}</div>}
      {action}
    </div>
  );
}
