import { Loader, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { SlabMark } from "../ui/SlabMark.tsx";
import styles from "./CheckingScreen.module.css";

/** Shown at page load, before the auth check completes. */
export function CheckingScreen(): ReactNode {
  return (
    <main className={styles.screen}>
      <VisuallyHidden component="h1">Slabdesk</VisuallyHidden>
      <SlabMark height={40} />
      <output className={styles.status}>
        <Loader size={16} aria-hidden="true" />
        Checking authentication…
      </output>
    </main>
  );
}
