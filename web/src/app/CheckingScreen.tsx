import { Loader, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { SlabMark } from "../ui/SlabMark.tsx";
import classes from "./CheckingScreen.module.css";

/** The first moment of the page, before anyone knows who is here. */
export function CheckingScreen(): ReactNode {
  return (
    <main className={classes.screen}>
      <VisuallyHidden component="h1">Slabdesk</VisuallyHidden>
      <SlabMark height={40} />
      <output className={classes.status}>
        <Loader size={16} aria-hidden="true" />
        Checking authentication…
      </output>
    </main>
  );
}
