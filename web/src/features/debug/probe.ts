export type ProbeResult<Answer> =
  | { isOk: true; answer: Answer; durationMs: number }
  | { isOk: false; error: unknown; durationMs: number };

/** Makes one call and returns its result and duration. Never throws, because a failure is a valid result. */
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
