import type { ReactNode } from "react";
import { Brand, DemoBadge, Footer } from "./Brand.tsx";
import { ColorSchemeToggle } from "./ColorSchemeToggle.tsx";
import classes from "./GateFrame.module.css";

/** The frame around the screens before sign-in. */
export function GateFrame({ isDemo, children }: { isDemo: boolean; children: ReactNode }): ReactNode {
  return (
    <div className={classes.frame}>
      <header className={classes.header}>
        <Brand />
        {isDemo && <DemoBadge />}
        <span className={classes.spacer} />
        <ColorSchemeToggle />
      </header>
      <main className={classes.main}>{children}</main>
      <Footer />
    </div>
  );
}
