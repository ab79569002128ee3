import { Box, Button, Loader, Text } from "@mantine/core";
import { IconBulb, IconBulbOff } from "@tabler/icons-react";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { logQuietly } from "../../../../api/quiet-log.ts";
import { CameraProblemBox } from "../../../../ui/camera/CameraProblemBox.tsx";
import { type CameraStream, useCameraStream } from "../../../../ui/camera/use-camera-stream.ts";
import type { StationControl } from "../use-station.ts";
import { openBarcodeReader, type ReadCode } from "./barcode-reader.ts";
import { HeldCodes } from "./held-codes.ts";

/** About eight reads per second suffice for hand movement and leave CPU time for the page. */
const READ_EVERY_MS = 120;

const READER_FAILED: CameraStream = {
  kind: "failed",
  problem: { title: "The code reader didn't load", advice: "Check the connection and open the camera again." },
};

function useCamera(video: RefObject<HTMLVideoElement | null>, { meaningOf, scan }: StationControl) {
  const stream = useCameraStream({ video, size: { width: 1280, height: 720 }, report: logQuietly });
  const [hasReader, setHasReader] = useState(true);
  const take = useEffectEvent((held: HeldCodes, codes: readonly ReadCode[]): void => {
    const seen = codes.map((code) => ({ ...code, meaning: meaningOf(code.text) }));
    for (const { text } of held.take(seen, performance.now())) scan(text);
  });
  const isOpen = stream.kind === "open";
  useEffect(() => {
    const shown = video.current;
    if (!isOpen || !shown) return;
    const closing = new AbortController();
    const isOver = (): boolean => closing.signal.aborted;
    const readCodes = async (): Promise<void> => {
      const held = new HeldCodes();
      const read = await openBarcodeReader();
      while (!isOver()) {
        const codes = shown.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA ? await read(shown) : [];
        if (isOver()) return;
        take(held, codes);
        await new Promise((resolve) => setTimeout(resolve, READ_EVERY_MS));
      }
    };
    readCodes().catch((error: unknown) => {
      if (isOver()) return;
      logQuietly("Reading the camera's codes failed", error);
      setHasReader(false);
    });
    return () => closing.abort();
  }, [isOpen, video]);
  return hasReader ? stream : READER_FAILED;
}

const VIDEO = { display: "block", width: "100%", aspectRatio: "4 / 3", objectFit: "cover" } as const;
const FRAME = {
  position: "absolute",
  inset: "16% 12% calc(16% + 2.25rem)",
  border: "2px solid rgb(255 255 255 / 85%)",
  borderRadius: 12,
  pointerEvents: "none",
} as const;

export function CameraPanel({ station }: { station: StationControl }) {
  const video = useRef<HTMLVideoElement>(null);
  const state = useCamera(video, station);
  if (state.kind === "failed") {
    return <CameraProblemBox problem={state.problem} instead="You can still use a USB scanner or type the number." />;
  }
  const torch = state.kind === "open" ? state.torch : null;
  const TorchIcon = torch?.isOn ? IconBulbOff : IconBulb;
  return (
    <Box pos="relative" bd="1px solid var(--sd-line)" bdrs="md" bg="#000" style={{ overflow: "hidden" }}>
      <video ref={video} style={VIDEO} muted playsInline aria-label="What the camera sees" />
      <span style={FRAME} aria-hidden="true" />
      {state.kind === "opening" && (
        <Loader pos="absolute" top="40%" left="calc(50% - 11px)" size="sm" aria-label="Opening the camera" />
      )}
      {torch && (
        <Button
          size="xs"
          pos="absolute"
          top={8}
          right={8}
          aria-pressed={torch.isOn}
          leftSection={<TorchIcon size={16} aria-hidden="true" />}
          onClick={torch.toggle}
        >
          Light
        </Button>
      )}
      <Text mih="2.25rem" px={10} py={7} bg="var(--sd-surface)" c="dimmed" fz="xs" lh={1.4}>
        Hold the slab's QR code or barcode in the frame. Each is scanned once.
      </Text>
    </Box>
  );
}
