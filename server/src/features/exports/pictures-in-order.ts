import { HttpError } from "../../http/http-error.ts";

/** A picture, or the reason why it is missing. */
export type Fetched<P> = { kind: "here"; picture: P } | { kind: "missing"; reason: string };

const AT_ONCE = 4;
/** After this many unanswered pictures in a row, the host's remaining pictures are skipped. */
const PATIENCE = 5;

/**
 * Fetches pictures a few at a time and yields each result in the requested order. Skips a host that stops responding
 * after a few timeouts.
 *
 * @throws any error of `fetch` that isn't an HttpError
 */
export async function* picturesInOrder<W extends { url: string }, P>(
  wanted: Iterable<W> | AsyncIterable<W>,
  fetch: (one: W) => Promise<P>,
): AsyncGenerator<[one: W, fetched: Fetched<P>]> {
  const unanswered = new Map<string, number>();
  const attempt = async (one: W): Promise<Fetched<P>> => {
    const host = URL.canParse(one.url) ? new URL(one.url).host : "";
    if ((unanswered.get(host) ?? 0) >= PATIENCE)
      return {
        kind: "missing",
        reason: `${host} did not answer for ${PATIENCE} pictures in a row and was not asked again`,
      };
    try {
      const picture = await fetch(one);
      unanswered.delete(host);
      return { kind: "here", picture };
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      if (isUnanswered(error)) unanswered.set(host, (unanswered.get(host) ?? 0) + 1);
      else unanswered.delete(host);
      return { kind: "missing", reason: error.message };
    }
  };

  const underWay: Promise<() => [W, Fetched<P>]>[] = [];
  for await (const one of wanted) {
    underWay.push(held(one, attempt(one)));
    if (underWay.length < AT_ONCE) continue;
    const first = await underWay.shift();
    if (first) yield first();
  }
  for (const rest of underWay) yield (await rest)();
}

/** Defers a rejection until the result is read, because an unhandled rejection would end the process. */
async function held<W, F>(one: W, work: Promise<F>): Promise<() => [W, F]> {
  try {
    const fetched = await work;
    return () => [one, fetched];
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** Whether the host timed out or is unreachable. Both can take seconds; a DNS lookup alone may. */
function isUnanswered({ cause }: HttpError): boolean {
  if (typeof cause !== "object" || cause === null || !("kind" in cause)) return false;
  return cause.kind === "timed_out" || (cause.kind === "unavailable" && "cause" in cause);
}
