import { useWindowEvent } from "@mantine/hooks";
import type { Profile } from "@slabdesk/contract/api/people.ts";
import { type ReactNode, useState } from "react";
import { lazyPart, OnceOpen } from "../../ui/lazy-part.tsx";

const CommandPalette = lazyPart(async () => (await import("./CommandPalette.tsx")).CommandPalette);

const INPUT_ID = "palette-input";

type PaletteProps = { profile: Profile; isOpen: boolean; onClose: () => void };

/** The command palette, loaded when first opened, with the text that was typed meanwhile. */
export function Palette({ profile, isOpen, onClose }: PaletteProps): ReactNode {
  const [text, setText] = useState("");
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen);
    if (isOpen) setText("");
  }
  // Until the palette's input has the focus, the open palette takes the keys, so that no letter runs a shortcut.
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (!isOpen || ctrlKey || metaKey || altKey) return;
    if (target instanceof Element && target.id === INPUT_ID) return;
    if (key.length === 1) setText((current) => current + key);
    else if (key === "Escape") onClose();
    else if (key !== "Enter") return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  useWindowEvent("keydown", onKeyDown, { capture: true });
  return (
    <OnceOpen isOpen={isOpen}>
      <CommandPalette
        profile={profile}
        isOpen={isOpen}
        onClose={onClose}
        inputId={INPUT_ID}
        text={text}
        onText={setText}
      />
    </OnceOpen>
  );
}
