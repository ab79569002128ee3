import "@mantine/core/styles/Mark.layer.css";
import { Highlight } from "@mantine/core";
import { createContext, useContext } from "react";

/** The words of the find box, which the cells mark. */
export const FindWords = createContext<readonly string[]>([]);

/** A cell's text, with the matches of Find marked. */
export function Marked({ text }: { text: string }) {
  const words = useContext(FindWords);
  if (words.length === 0) return text;
  return (
    <Highlight
      component="span"
      inherit
      highlight={[...words]}
      highlightStyles={{
        background: "color-mix(in srgb, var(--sd-accent) 26%, transparent)",
        color: "inherit",
        borderRadius: 2,
      }}
    >
      {text}
    </Highlight>
  );
}
