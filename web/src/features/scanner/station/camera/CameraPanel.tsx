import { Button, Loader } from "@mantine/core";
import { IconBulb, IconBulbOff } from "@tabler/icons-react";
import { useRef } from "react";
import { CameraProblemBox } from "../../../../ui/camera/CameraProblemBox.tsx";
import styles from "./camera.module.css";
import { useCamera } from "./use-camera.ts";

type CameraPanelProps = {
  meaningOf: (text: string) => string;
  onCode: (text: string) => void;
};

export function CameraPanel({ meaningOf, onCode }: CameraPanelProps) {
  const video = useRef<HTMLVideoElement>(null);
  const state = useCamera({ video, meaningOf, onCode });
  if (state.kind === "failed") {
    return <CameraProblemBox problem={state.problem} instead="You can still use a USB scanner or type the number." />;
  }
  const torch = state.kind === "open" ? state.torch : null;
  return (
    <div className={styles.camera} data-state={state.kind}>
      <video ref={video} className={styles.video} muted playsInline aria-label="What the camera sees" />
      <span className={styles.frame} aria-hidden="true" />
      {state.kind === "opening" && <Loader className={styles.loader} size="sm" aria-label="Opening the camera" />}
      {torch && (
        <Button
          size="xs"
          className={styles.torch}
          aria-pressed={torch.isOn}
          leftSection={
            torch.isOn ? <IconBulbOff size={16} aria-hidden="true" /> : <IconBulb size={16} aria-hidden="true" />
          }
          onClick={torch.toggle}
        >
          Light
        </Button>
      )}
      <p className={styles.hint}>Hold the slab's QR code or barcode in the frame. Each is scanned once.</p>
    </div>
  );
}
