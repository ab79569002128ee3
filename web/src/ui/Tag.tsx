import type { ReactNode } from "react";
import styles from "./Tag.module.css";
import type { Tone } from "./tone.ts";

type TagProps = {
  tone?: Tone;
  /** `loud` is a badge in small capitals, `soft` a value's chip, `small` a remark within a line of text. */
  variant?: "soft" | "loud" | "small";
  children: ReactNode;
};

export function Tag({ tone = "neutral", variant = "soft", children }: TagProps) {
  return (
    <span className={styles.tag} data-tone={tone} data-variant={variant}>
      {children}
    </span>
  );
}
