import { Button, Loader, Text } from "@mantine/core";
import { IconBulb, IconBulbOff } from "@tabler/icons-react";
import { useRef } from "react";
import { CameraProblemBox } from "../../../../ui/camera/CameraProblemBox.tsx";
import styles from "./camera.module.css";
import { type CameraOptions, useCamera } from "./use-camera.ts";

export function CameraPanel({ meaningOf, onCode }: Omit<CameraOptions, "video">) {
  const video = useRef<HTMLVideoElement>(null);
  const state = useCamera({ video, meaningOf, onCode });
  if (state.kind === "failed") {
    return <CameraProblemBox problem={state.problem} instead="You can still use a USB scanner or type the number." />;
  }
  const torch = state.kind === "open" ? state.torch : null;
  return (
    <div className={styles.camera}>
      <video ref={video} className={styles.video} muted playsInline aria-label="What the camera sees" />
      <span className={styles.frame} aria-hidden="true" />
      {state.kind === "opening" && <Loader pos="absolute" top="40%" left="calc(50% - 11px)" size="sm" aria-label="Opening the camera" />}
      {torch && (
        <Button
          size="xs"
          pos="absolute"
          top={8}
          right={8}
          aria-pressed={torch.isOn}
          leftSection={
            torch.isOn ? <IconBulbOff size={16} aria-hidden="true" /> : <IconBulb size={16} aria-hidden="true" />
          }
          onClick={torch.toggle}
        >
          Light
        </Button>
      )}
      <Text mih="2.25rem" px={10} py={7} bg="var(--sd-surface)" c="dimmed" fz="xs" lh={1.4}>
        Hold the slab's QR code or barcode in the frame. Each is scanned once.
      </Text>
    </div>
  );
}
