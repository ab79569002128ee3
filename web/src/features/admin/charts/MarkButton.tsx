import type { ReactNode } from "react";
import type { AdminFilter } from "../admin-filter.ts";
import styles from "./MarkButton.module.css";
import { isFaded, isSameMark } from "./marks.ts";

type MarkButtonProps = {
  mark: AdminFilter;
  filter: AdminFilter;
  onMark: (filter: AdminFilter) => void;
  /** The class that sets the button's layout. */
  className: string | undefined;
  title?: string | undefined;
  children: ReactNode;
};

/** A text mark: pressed while its filter is active, faded while another is. */
export function MarkButton({ mark, filter, onMark, className, title, children }: MarkButtonProps): ReactNode {
  return (
    <button
      type="button"
      className={`${styles.button} ${className}`}
      title={title}
      aria-pressed={isSameMark(filter, mark)}
      data-faded={isFaded(filter, mark) || undefined}
      onClick={() => onMark(mark)}
    >
      {children}
    </button>
  );
}
