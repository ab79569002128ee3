import type { ReactNode } from "react";
import { errorReference, errorMessage } from "../api/error-messages.ts";
import { ErrorPanel } from "../ui/ErrorPanel.tsx";
import { SlabMark } from "../ui/SlabMark.tsx";
import styles from "./UnreachableScreen.module.css";

/** Shown if the session check could not reach the server. */
export function UnreachableScreen({ error, onRetry }: { error: unknown; onRetry: () => void }): ReactNode {
  return (
    <div className={styles.screen}>
      <SlabMark height={40} />
      <h1 className={styles.title}>Slabdesk does not answer</h1>
      <ErrorPanel message={errorMessage(error)} reference={errorReference(error)} onRetry={onRetry} />
    </div>
  );
}
