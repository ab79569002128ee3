import { describe, expect, test } from "vitest";
import { HttpError } from "../../http/http-error.ts";
import { picturesInOrder } from "./pictures-in-order.ts";

type Wanted = { url: string; answer: string };

const slow = (): HttpError =>
  new HttpError(502, "unavailable", "timed out", { cause: { kind: "timed_out", message: "" } });
const unreachable = (): HttpError =>
  new HttpError(502, "unavailable", "unreachable", { cause: { kind: "unavailable", message: "", cause: new Error() } });
const gone = (): HttpError => new HttpError(502, "unavailable", "gone", { cause: { kind: "missing", message: "" } });

async function fetchOne({ answer }: Wanted): Promise<string> {
  if (answer === "slow") throw slow();
  if (answer === "unreachable") throw unreachable();
  if (answer === "gone") throw gone();
  if (answer === "bug") throw new TypeError("a bug");
  return answer;
}

async function resultsOf(answers: readonly string[], host = "images.example"): Promise<string[]> {
  const wanted = answers.map((answer, index) => ({ url: `https://${host}/${index}.jpg`, answer }));
  const results: string[] = [];
  for await (const [, fetched] of picturesInOrder(wanted, fetchOne))
    results.push(fetched.kind === "here" ? fetched.picture : fetched.reason);
  return results;
}

describe("pictures in order", () => {
  test("come in the order asked for, a few under way at a time", async () => {
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
    for await (const [, fetched] of picturesInOrder(wanted, fetch))
      if (fetched.kind === "here") urls.push(fetched.picture);
    expect(urls).toEqual(wanted.map(({ url }) => url));
    expect(most).toBe(4);
  });

  test.each([
    ["slow", "timed out"],
    ["unreachable", "unreachable"],
  ])("of a host that is %s are given up after five in a row", async (answer, reason) => {
    const results = await resultsOf(Array.from({ length: 30 }, () => answer));
    const timeouts = results.filter((message) => message === reason);
    expect(timeouts.length).toBeGreaterThanOrEqual(5);
    expect(timeouts.length).toBeLessThan(5 + 4);
    expect(results.at(-1)).toBe("images.example did not answer for 5 pictures in a row and was not asked again");
  });

  test("that are not there, or come now and then, are no reason to give a host up", async () => {
    const answers = Array.from({ length: 20 }, (_, index) => (index % 4 === 3 ? "gone" : "slow"));
    expect(await resultsOf(answers)).toEqual(answers.map((answer) => (answer === "gone" ? "gone" : "timed out")));
  });

  test("end with what is no answer of a host", async () => {
    await expect(resultsOf(["a", "bug", "b", "bug", "c"])).rejects.toThrow("a bug");
  });
});
