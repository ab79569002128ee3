import { useCallbackRef } from "@mantine/hooks";
import { useEffect } from "react";

/** Something that the command palette offers to do. */
export type Command = { label: string; run: () => void };

const offers = new Set<() => readonly Command[]>();

/** Offers commands in the palette while the component is mounted. `list` is called each time the palette opens. */
export function useCommands(list: () => readonly Command[]): void {
  const offer = useCallbackRef(list);
  useEffect(() => {
    offers.add(offer);
    return () => void offers.delete(offer);
  }, [offer]);
}

export function listCommands(): readonly Command[] {
  return [...offers].flatMap((offer) => offer());
}

/** The commands whose label has every word of the text. */
export function commandsWith(commands: readonly Command[], text: string): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
}
