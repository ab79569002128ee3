import type { Verdict } from "./station.ts";

const note = (hertz: number, ms: number) => ({ hertz, ms });
type Tone = { wave: OscillatorType; notes: readonly ReturnType<typeof note>[] };

/** Distinct by ear: one short high note, two of them, a long low note, a falling note. */
export const TONES: Record<Verdict["kind"], Tone> = {
  ok: { wave: "sine", notes: [note(1046, 90)] },
  duplicate: { wave: "triangle", notes: [note(587, 110), note(587, 150)] },
  unreadable: { wave: "square", notes: [note(165, 380)] },
  undone: { wave: "sine", notes: [note(784, 80), note(523, 120)] },
};

const LOUDNESS = 0.16;
const GAP_S = 0.05;
const FADE_S = 0.012;

let context: AudioContext | null = null;

/** Browsers allow sound only after a click or key press. An earlier tone is skipped, not delayed. */
export async function sound(kind: Verdict["kind"]): Promise<void> {
  context ??= new AudioContext();
  if (context.state !== "running") {
    if (!navigator.userActivation.hasBeenActive) return;
    await context.resume();
  }
  play(context, TONES[kind]);
}

function play(audio: AudioContext, { wave, notes }: Tone): void {
  let start = audio.currentTime;
  for (const { hertz, ms } of notes) {
    const end = start + ms / 1000;
    const oscillator = new OscillatorNode(audio, { type: wave, frequency: hertz });
    const gain = new GainNode(audio, { gain: 0 });
    // Without the fades, each note would start and end with a click.
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(LOUDNESS, start + FADE_S);
    gain.gain.setValueAtTime(LOUDNESS, end - FADE_S);
    gain.gain.linearRampToValueAtTime(0, end);
    oscillator.connect(gain).connect(audio.destination);
    oscillator.start(start);
    oscillator.stop(end);
    start = end + GAP_S;
  }
}
