import { HttpError } from "../../http/http-error.ts";

/** A picture, or the reason why it is missing. */
export type Fetched<P> = { kind: "here"; picture: P } | { kind: "missing"; reason: string };

const AT_ONCE = 4;

/**
 * Fetches pictures a few at a time and yields each result in the requested order.
 *
 * @throws any error of `fetch` that isn't an HttpError
 */
export async function* picturesInOrder<W, P>(
  wanted: Iterable<W> | AsyncIterable<W>,
  fetch: (one: W) => Promise<P>,
): AsyncGenerator<[one: W, fetched: Fetched<P>]> {
  const attempt = async (one: W): Promise<Fetched<P>> => {
    try {
      return { kind: "here", picture: await fetch(one) };
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
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
