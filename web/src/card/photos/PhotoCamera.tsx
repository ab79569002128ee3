import type { ImageSide } from "@slabdesk/contract/api/results.ts";
import { Box, Button, Center, Group, Loader } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { logQuietly } from "../../api/quiet-log.ts";
import { CameraProblemBox } from "../../ui/camera/CameraProblemBox.tsx";
import { useCameraStream } from "../../ui/camera/use-camera-stream.ts";

const VIDEO_SIZE = { width: 2560, height: 1920 };
const QUALITY = 0.92;
/** The live video and the photo, one over the other. */
const LAYER = { width: "100%", height: "100%", minHeight: 0, objectFit: "contain" } as const;

type PhotoCameraProps = { side: ImageSide; onTake: (photo: Blob) => void; onClose: () => void };

/** A camera in place of a side's image. Shows the live video, then the photo, which the user keeps or retakes. */
export function PhotoCamera({ side, onTake, onClose }: PhotoCameraProps) {
  const video = useRef<HTMLVideoElement>(null);
  const stream = useCameraStream({ video, size: VIDEO_SIZE, report: logQuietly });
  const [taken, setTaken] = useState<{ photo: Blob; address: string } | null>(null);
  useEffect(() => () => URL.revokeObjectURL(taken?.address ?? ""), [taken]);

  const take = (): void => {
    if (!video.current) return;
    frameOf(video.current).then(
      (photo) => setTaken({ photo, address: URL.createObjectURL(photo) }),
      (error: unknown) => logQuietly("Could not capture the camera image", error),
    );
  };
  return (
    <Center pos="absolute" inset={0} bdrs="inherit" bg="#0a0c0f" style={{ overflow: "hidden" }}>
      {stream.kind === "failed" ? (
        <Box p={16}>
          <CameraProblemBox problem={stream.problem} instead="You can still choose a photo from a file." />
        </Box>
      ) : (
        <video ref={video} style={LAYER} hidden={taken !== null} muted playsInline aria-label="What the camera sees" />
      )}
      {taken && <img style={LAYER} src={taken.address} alt={`What was taken of the ${side}`} />}
      {stream.kind === "opening" && <Loader pos="absolute" size="sm" aria-label="Opening the camera" />}
      <Group pos="absolute" right={0} bottom={12} left={0} gap={8} justify="center">
        {taken && (
          <>
            <Button ref={focusAtOnce} size="xs" variant="filled" onClick={() => onTake(taken.photo)}>
              Use this photo
            </Button>
            <Button size="xs" onClick={() => setTaken(null)}>
              Take again
            </Button>
          </>
        )}
        {!taken && stream.kind === "open" && (
          <Button ref={focusAtOnce} size="xs" variant="filled" onClick={take}>
            Take the photo
          </Button>
        )}
        <Button size="xs" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </Center>
  );
}

/** Moves the focus to the new button; the previous button was removed. */
const focusAtOnce = (button: HTMLButtonElement | null): void => button?.focus();

/** Captures the current video frame at full size. */
async function frameOf(video: HTMLVideoElement): Promise<Blob> {
  const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
  canvas.getContext("2d")?.drawImage(video, 0, 0);
  return canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY });
}
