import { HttpError } from "../../http/http-error.ts";

export type Fetched<I> = { kind: "here"; image: I } | { kind: "missing"; reason: string };

const AT_ONCE = 4;

/** Fetches images a few at a time, in order. @throws any error of `fetch` that isn't an HttpError */
export async function* imagesInOrder<W, I>(
  wanted: Iterable<W> | AsyncIterable<W>,
  fetch: (one: W) => Promise<I>,
): AsyncGenerator<[one: W, fetched: Fetched<I>]> {
  const attempt = async (one: W): Promise<[W, Fetched<I>]> => {
    try {
      return [one, { kind: "here", image: await fetch(one) }];
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      return [one, { kind: "missing", reason: error.message }];
    }
  };

  const underWay: Promise<[W, Fetched<I>]>[] = [];
  for await (const one of wanted) {
    const fetching = attempt(one);
    // An error is thrown when its turn comes. Until then, an unhandled rejection would end the process.
    fetching.catch(() => undefined);
    underWay.push(fetching);
    const first = underWay.length < AT_ONCE ? undefined : underWay.shift();
    if (first) yield first;
  }
  yield* underWay;
}
