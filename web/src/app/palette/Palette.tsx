import type { Profile } from "@slabdesk/contract/api/people.ts";
import { type ReactNode, useState } from "react";
import { lazyPart, OnceOpen } from "../../ui/lazy-part.tsx";
import { useEarlyKeys } from "./use-early-keys.ts";

const CommandPalette = lazyPart(async () => (await import("./CommandPalette.tsx")).CommandPalette);

type PaletteProps = { profile: Profile; isOpen: boolean; onClose: () => void };

/** The command palette, loaded when first opened, with the text that was typed meanwhile. */
export function Palette({ profile, isOpen, onClose }: PaletteProps): ReactNode {
  const [text, setText] = useState("");
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen);
    if (isOpen) setText("");
  }
  useEarlyKeys(isOpen, (typed) => setText((current) => current + typed), onClose);
  return (
    <OnceOpen isOpen={isOpen}>
      <CommandPalette profile={profile} isOpen={isOpen} onClose={onClose} text={text} onText={setText} />
    </OnceOpen>
  );
}
