export type ProbeResult<Answer> =
  | { isOk: true; answer: Answer; durationMs: number }
  | { isOk: false; error: unknown; durationMs: number };

/** Makes one call and says what came of it and how long it took. Never throws: a failure is what a probe looks for. */
export async function probe<Answer>(call: () => Promise<Answer>): Promise<ProbeResult<Answer>> {
  const startedAt = performance.now();
  const elapsed = (): number => Math.round(performance.now() - startedAt);
  try {
    const answer = await call();
    return { isOk: true, answer, durationMs: elapsed() };
  } catch (error) {
    return { isOk: false, error, durationMs: elapsed() };
  }
}
