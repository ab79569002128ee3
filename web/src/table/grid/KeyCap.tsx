import { KeyHint } from "../../ui/KeyHint.tsx";
import styles from "./RowBar.module.css";

/** A button's key. Not for screen readers, and hidden on a touch screen. */
export function KeyCap({ children }: { children: string }) {
  return (
    <span className={styles.cap} aria-hidden="true">
      <KeyHint>{children}</KeyHint>
    </span>
  );
}
