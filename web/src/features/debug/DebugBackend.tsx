import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { lazyPart, OnceOpen } from "../../ui/lazy-part.tsx";
import styles from "./DebugBackend.module.css";

const DebugPanel = lazyPart(async () => (await import("./DebugPanel.tsx")).DebugPanel);

/** The debug button at the lower left and its panel. */
export function DebugBackend(): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button className={styles.button} size="compact-sm" onClick={() => setIsOpen(true)}>
        DEBUG BACKEND
      </Button>
      <OnceOpen isOpen={isOpen}>
        <DebugPanel isOpen={isOpen} onClose={() => setIsOpen(false)} />
      </OnceOpen>
    </>
  );
}
