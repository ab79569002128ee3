import { describe, expect, test } from "vitest";
import { HttpError } from "../../http/http-error.ts";
import { imagesInOrder } from "./images-in-order.service.ts";

type Wanted = { answer: string };

async function fetchOne({ answer }: Wanted): Promise<string> {
  if (answer === "slow") throw new HttpError(502, "unavailable", "timed out");
  if (answer === "gone") throw new HttpError(502, "unavailable", "gone");
  if (answer === "bug") throw new TypeError("a bug");
  return answer;
}

async function resultsOf(answers: readonly string[]): Promise<string[]> {
  const wanted = answers.map((answer) => ({ answer }));
  const results: string[] = [];
  for await (const [, fetched] of imagesInOrder(wanted, fetchOne))
    results.push(fetched.kind === "here" ? fetched.image : fetched.reason);
  return results;
}

describe("ordered images", () => {
  test("arrive in the requested order, a few in flight at a time", async () => {
    let running = 0;
    let most = 0;
    const finish = new Map<string, () => void>();
    const fetch = async ({ url }: { url: string }) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => {
        finish.set(url, resolve);
        // The last of four to begin lets all four end, the newest first.
        if (finish.size === 4) for (const end of [...finish.values()].toReversed()) end();
        if (finish.size > 4) resolve();
      });
      running -= 1;
      return url;
    };
    const wanted = Array.from({ length: 10 }, (_, index) => ({ url: String(index) }));
    const urls: string[] = [];
    for await (const [, fetched] of imagesInOrder(wanted, fetch)) if (fetched.kind === "here") urls.push(fetched.image);
    expect(urls).toEqual(wanted.map(({ url }) => url));
    expect(most).toBe(4);
  });

  test("that cannot be had come with the reason", async () => {
    expect(await resultsOf(["a", "gone", "b", "slow"])).toEqual(["a", "gone", "b", "timed out"]);
  });

  test("break off at an error that is not a host's answer", async () => {
    await expect(resultsOf(["a", "bug", "b", "bug", "c"])).rejects.toThrow("a bug");
  });
});
