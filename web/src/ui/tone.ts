/** The meaning of a color, independent of its subject. */
export type Tone = "neutral" | "accent" | "good" | "warn" | "bad";
