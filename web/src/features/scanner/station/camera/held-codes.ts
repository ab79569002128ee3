/**
 * A code in front of the camera is seen in every picture. It is reported once, and again only after it was out of
 * sight for a while. Codes without a check digit are misread now and then, so they must be seen twice alike.
 */
export type SeenCode = {
  /** What the code means: two codes of one slab, or of one certificate, mean the same. */
  meaning: string;
  hasCheck: boolean;
};

/** Longer than a hand trembles or a reflection passes. */
const RELEASE_MS = 1_500;

export class HeldCodes {
  readonly #held = new Map<string, { seenAtMs: number; count: number; isReported: boolean }>();

  /** Those of the codes in the picture that are news, each meaning once. */
  take<Code extends SeenCode>(codes: readonly Code[], nowMs: number): Code[] {
    for (const [meaning, { seenAtMs }] of this.#held) if (nowMs - seenAtMs > RELEASE_MS) this.#held.delete(meaning);
    const news: Code[] = [];
    for (const code of codes) {
      const held = this.#held.get(code.meaning) ?? { seenAtMs: nowMs, count: 0, isReported: false };
      held.seenAtMs = nowMs;
      held.count += 1;
      this.#held.set(code.meaning, held);
      if (held.isReported || (!code.hasCheck && held.count < 2)) continue;
      held.isReported = true;
      news.push(code);
    }
    return news;
  }
}
