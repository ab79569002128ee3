import { type RefObject, useRef } from "react";
import { goTo } from "../../../place/place-store.ts";
import { useTablePreferences } from "../../../table/columns/use-table-preferences.ts";
import { useScanBursts } from "../../../ui/keys/use-scan-bursts.ts";
import { toast } from "../../../ui/toast.tsx";
import { scannedMessage } from "./station-messages.ts";
import type { StationControl } from "./use-station.ts";

/** Takes scans outside all fields: into the tab's open station, else a message offers to open it with them. */
export function StrayScans({ station, tab }: { station: StationControl; tab: RefObject<HTMLElement | null> }) {
  const { hasSingleKeys } = useTablePreferences().preferences;
  const offered = useRef<readonly string[]>([]);
  const onScan = (text: string): void => {
    if (station.isOpen && tab.current?.checkVisibility()) return station.scan(text);
    const texts = [...offered.current, text];
    offered.current = texts;
    const run = (): void => {
      goTo("scanner");
      station.open();
      for (const each of texts) station.scan(each);
    };
    toast.offer({
      id: "stray-scans",
      message: scannedMessage(texts),
      action: { label: "Add to the scan station", run },
      stays: true,
      onClose: () => {
        offered.current = [];
      },
    });
  };
  useScanBursts({ onScan, hasSingleKeys });
  return null;
}
