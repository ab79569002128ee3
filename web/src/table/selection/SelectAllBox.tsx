import { useEffect, useRef } from "react";
import styles from "./selection.module.css";

type SelectAllBoxProps = { share: "none" | "some" | "all"; count: number; onToggle: () => void };

/** The header's checkbox. Selects or deselects all visible rows. */
export function SelectAllBox({ share, count, onToggle }: SelectAllBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = share === "some";
  }, [share]);
  return (
    <label className={styles.target}>
      <input
        ref={box}
        type="checkbox"
        className={styles.box}
        aria-label={`Select all ${count.toLocaleString("en-US")} rows shown`}
        checked={share === "all"}
        onChange={onToggle}
      />
    </label>
  );
}
