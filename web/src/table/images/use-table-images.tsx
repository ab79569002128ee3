import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { type ReactNode, Suspense } from "react";
import { lazyPart, useEver } from "../../ui/lazy-part.tsx";
import type { RowView } from "../use-row-views.ts";
import { useOwnPhotos } from "./use-own-photos.ts";
import { useSwap } from "./use-swap.ts";

const ImageDialog = lazyPart(async () => (await import("./ImageDialog.tsx")).ImageDialog);

type TableImages = {
  open: (row: ResultRow) => void;
  /** Swaps front and back if a row has both; the user can undo it. */
  swap: (row: ResultRow) => void;
  /** The dialog, mounted once opened. */
  overlays: ReactNode;
};

type TableImagesOptions = { view: RowView; onHistory: (row: ResultRow) => void };

/** A table's picture features: dialog, swap and photos. */
export function useTableImages({ view, onHistory }: TableImagesOptions): TableImages {
  const { swap, swapping } = useSwap();
  const photos = useOwnPhotos();
  const wasOpen = useEver(view.isOpen);
  return {
    open: view.open,
    swap,
    overlays: (
      <Suspense fallback={null}>
        {wasOpen && <ImageDialog view={view} tools={{ swap, swapping, photos, onHistory }} />}
      </Suspense>
    ),
  };
}
