import type { ReactNode } from "react";
import classes from "./Tag.module.css";
import type { Tone } from "./tone.ts";

type TagProps = {
  tone?: Tone;
  /** `loud` is the small capitals of a badge, `soft` the chip of a value, `small` a remark inside a line of text. */
  look?: "soft" | "loud" | "small";
  children: ReactNode;
};

/** A small colored word. */
export function Tag({ tone = "neutral", look = "soft", children }: TagProps): ReactNode {
  return (
    <span className={classes.tag} data-tone={tone} data-look={look}>
      {children}
    </span>
  );
}
