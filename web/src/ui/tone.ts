/** What a color says, without saying of what. */
export type Tone = "neutral" | "accent" | "good" | "warn" | "bad";
