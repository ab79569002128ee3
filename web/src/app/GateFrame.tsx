import type { ReactNode } from "react";
import { Brand, DemoBadge, Footer } from "./Brand.tsx";
import { ColorSchemeToggle } from "./ColorSchemeToggle.tsx";
import styles from "./GateFrame.module.css";

/** The frame around the screens before sign-in. */
export function GateFrame({ isDemo, children }: { isDemo: boolean; children: ReactNode }): ReactNode {
  return (
    <div className={styles.frame}>
      <header className={styles.header}>
        <Brand />
        {isDemo && <DemoBadge />}
        <span className={styles.spacer} />
        <ColorSchemeToggle />
      </header>
      <main className={styles.main}>{children}</main>
      <Footer />
    </div>
  );
}
