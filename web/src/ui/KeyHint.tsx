import styles from "./KeyHint.module.css";

export function KeyHint({ children }: { children: string }) {
  return <kbd className={styles.key}>{children}</kbd>;
}
