import { Button } from "@mantine/core";
import { useState } from "react";
import { lazyPart, OnceOpen } from "../../ui/lazy-part.tsx";
import styles from "./DebugBackend.module.css";

const DebugPanel = lazyPart(async () => (await import("./DebugPanel.tsx")).DebugPanel);

/** The debug button at the lower left of the window, or of a page that scrolls, and its panel. */
export function DebugBackend({ isFloating }: { isFloating: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        className={styles.button}
        data-floating={isFloating || undefined}
        size="compact-sm"
        onClick={() => setIsOpen(true)}
      >
        DEBUG BACKEND
      </Button>
      <OnceOpen isOpen={isOpen}>
        <DebugPanel isOpen={isOpen} onClose={() => setIsOpen(false)} />
      </OnceOpen>
    </>
  );
}
