import type { ReactNode } from "react";
import type { AdminFilter } from "../admin-filter.ts";
import classes from "./MarkButton.module.css";
import { isFaded, isSameMark } from "./marks.ts";

type MarkButtonProps = {
  mark: AdminFilter;
  filter: AdminFilter;
  onMark: (filter: AdminFilter) => void;
  /** A class for what its parts are laid out by. */
  className: string | undefined;
  title?: string | undefined;
  children: ReactNode;
};

/** A mark that is words and figures: pressed while the lists are filtered by it, faded while they are by others. */
export function MarkButton({ mark, filter, onMark, className, title, children }: MarkButtonProps): ReactNode {
  return (
    <button
      type="button"
      className={`${classes.button} ${className}`}
      title={title}
      aria-pressed={isSameMark(filter, mark)}
      data-faded={isFaded(filter, mark) || undefined}
      onClick={() => onMark(mark)}
    >
      {children}
    </button>
  );
}
