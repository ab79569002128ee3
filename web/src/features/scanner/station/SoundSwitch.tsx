import { ActionIcon } from "@mantine/core";
import { IconVolume, IconVolumeOff } from "@tabler/icons-react";

/** Turns scan sounds on or off; this browser remembers the setting. */
export function SoundSwitch({ isMuted, onMuted }: { isMuted: boolean; onMuted: (isMuted: boolean) => void }) {
  return (
    <ActionIcon
      size="md"
      aria-label="Sound"
      aria-pressed={!isMuted}
      title={isMuted ? "Sound is off" : "Sound is on"}
      onClick={() => onMuted(!isMuted)}
    >
      {isMuted ? <IconVolumeOff size={18} aria-hidden="true" /> : <IconVolume size={18} aria-hidden="true" />}
    </ActionIcon>
  );
}
