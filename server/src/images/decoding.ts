import { heavyWork, slowImages } from "../concurrency/budgets.ts";
import { createProcesses } from "../concurrency/processes.ts";
import { createShares } from "../concurrency/shares.ts";
import type { Answer, Judged, Task, Tasks } from "./decoder-process.ts";

type Result<Name extends keyof Tasks> = Awaited<ReturnType<Tasks[Name]>>;

const LONGEST_DECODING_MS = 20_000;
/** The tasks of people's own photos. Others make thumbnails of the graders' images. */
const OF_PHOTOS: ReadonlySet<keyof Tasks> = new Set(["judge", "plainPhoto"]);

/** Images rarely take longer. */
const USUAL_MS = 1_000;

export function createDecoding(deadlineMs: number, usualMs = USUAL_MS) {
  /** Decoding is bound by CPU and memory. One person gets at most two of the three places. */
  const places = createShares({ total: 3, each: 2 });
  const decoders = createProcesses(new URL("./decoder-process.ts", import.meta.url));

  async function work<Name extends keyof Tasks>(name: Name, values: Parameters<Tasks[Name]>): Promise<Result<Name>> {
    const deadline = AbortSignal.timeout(deadlineMs);
    const all: (Buffer | number)[] = values;
    const images = all.filter((value) => typeof value !== "number");
    const options = all.filter((value) => typeof value === "number");
    const task: Task = { name, sizes: images.map(({ length }) => length), options };
    const answer = await decoders.run(deadline, (ask) => ask<Answer<Result<Name>>>(task, images));
    if ("error" in answer) throw answer.error;
    return answer.result;
  }

  /** Does a task of a decoder for a person. @throws Error if the image is broken or the task takes too long */
  return <Name extends keyof Tasks>(person: string, name: Name, ...values: Parameters<Tasks[Name]>) => {
    const decoded = async (): Promise<Result<Name>> => {
      const startedAt = performance.now();
      const result = work(name, values);
      return result.finally(() => {
        const overMs = performance.now() - startedAt - usualMs;
        if (overMs > 0) slowImages.spend(person, overMs);
      });
    };
    return places.run(person, () => (OF_PHOTOS.has(name) ? heavyWork.charge(person, decoded) : decoded()));
  };
}

export const decode = createDecoding(LONGEST_DECODING_MS);

/** Identifies an image by its first bytes and its header. Doesn't decode the pixels. */
export const judgeImage = (bytes: Buffer, person: string): Promise<Judged> =>
  decode(person, "judge", bytes).catch((cause: unknown) => ({ kind: "no_image", cause }));
