/** `meaning` is what the code identifies. Two codes of one slab or one certificate have the same meaning. */
type SeenCode = { meaning: string; hasCheck: boolean };

/** Longer than a shaky hand or a passing reflection. */
const RELEASE_MS = 1_500;

/** Reports a code once while it is in view. Codes without a check digit can be misread, so they need two reads. */
export class HeldCodes {
  readonly #held = new Map<string, { seenAtMs: number; count: number; isReported: boolean }>();

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
