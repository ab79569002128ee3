import type { ComponentProps } from "react";
import styles from "./TextButton.module.css";

type TextButtonProps = ComponentProps<"button"> & {
  /** Underlined without the mouse over it, too. */
  isLink?: boolean;
};

/** A button that looks like the text around it. */
export function TextButton({ className = "", isLink = false, ...rest }: TextButtonProps) {
  return <button type="button" className={`${styles.button} ${className}`} data-link={isLink || undefined} {...rest} />;
}
