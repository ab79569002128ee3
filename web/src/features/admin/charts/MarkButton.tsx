import { UnstyledButton } from "@mantine/core";
import { type ReactNode, use } from "react";
import type { AdminFilter } from "../admin-filter.ts";
import styles from "./MarkButton.module.css";
import { isFaded, isSameMark, MarkContext } from "./marks.ts";

type MarkButtonProps = {
  mark: AdminFilter;
  /** The class that sets the button's layout. */
  className: string | undefined;
  title?: string | undefined;
  children: ReactNode;
};

/** A text mark: pressed while its filter is active, faded while another is. */
export function MarkButton({ mark, className, title, children }: MarkButtonProps): ReactNode {
  const { filter, onMark } = use(MarkContext);
  return (
    <UnstyledButton
      className={`${styles.button} ${className}`}
      title={title}
      aria-pressed={isSameMark(filter, mark)}
      data-faded={isFaded(filter, mark) || undefined}
      onClick={() => onMark(mark)}
    >
      {children}
    </UnstyledButton>
  );
}
