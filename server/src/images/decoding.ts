import { type ChildProcess, fork } from "node:child_process";
import { setPriority } from "node:os";
import { heavyWork } from "../concurrency/budgets.ts";
import { createShares } from "../concurrency/shares.ts";
import { lowPriority } from "../priority.ts";
import type { Answer, Judged, Tasks } from "./decoder-process.ts";

/* Decodes images in child processes, which can be killed in the middle of a call and don't get the server's settings. */

type Decoder = { child: ChildProcess; idleTimer: NodeJS.Timeout; fail?: (reason: Error) => void };
type Result<Name extends keyof Tasks> = Awaited<ReturnType<Tasks[Name]>>;

const LONGEST_DECODING_MS = 20_000;
const LONGEST_IDLE_MS = 60_000;
/** The tasks of people's own photos. Others make thumbnails of the graders' images. */
const OF_PHOTOS: ReadonlySet<keyof Tasks> = new Set(["judge", "plainPhoto"]);

export function createDecoding(deadlineMs: number) {
  /** Decoding is bound by CPU and memory. One person gets at most two of the three places. */
  const places = createShares({ total: 3, each: 2 });
  const idle: Decoder[] = [];

  function endIfIdle(decoder: Decoder): void {
    if (idle.includes(decoder)) idle.splice(idle.indexOf(decoder), 1)[0]?.child.kill("SIGKILL");
  }

  function start(): Decoder {
    const program = new URL("./decoder-process.ts", import.meta.url);
    const child = fork(program, { serialization: "advanced", execArgv: [], env: {} });
    if (child.pid) setPriority(child.pid, lowPriority());
    child.unref();
    const idleTimer = setTimeout(() => endIfIdle(decoder), LONGEST_IDLE_MS).unref();
    const decoder: Decoder = { child, idleTimer };
    child.on("error", (error) => decoder.fail?.(error));
    child.on("exit", (_code, signal) => {
      endIfIdle(decoder);
      decoder.fail?.(new Error(`The decoder ended before it answered (${signal})`));
    });
    return decoder;
  }

  async function ask<Name extends keyof Tasks>(name: Name, values: Parameters<Tasks[Name]>): Promise<Result<Name>> {
    const decoder = idle.pop() ?? start();
    const { child, idleTimer } = decoder;
    const { promise, resolve, reject } = Promise.withResolvers<Answer<Result<Name>>>();
    decoder.fail = reject;
    child.once("message", resolve);
    child.channel?.ref();
    child.send({ name, values });
    const deadline = setTimeout(() => child.kill("SIGKILL"), deadlineMs);
    const answer = await promise.finally(() => clearTimeout(deadline));
    child.channel?.unref();
    idle.push(decoder);
    idleTimer.refresh();
    if ("error" in answer) throw answer.error;
    return answer.result;
  }

  /** Does a task of a decoder for a person. @throws Error if the image is broken or the task takes too long */
  return <Name extends keyof Tasks>(person: string, name: Name, ...values: Parameters<Tasks[Name]>) => {
    const work = () => ask(name, values);
    return places.run(person, () => (OF_PHOTOS.has(name) ? heavyWork.charge(person, work) : work()));
  };
}

export const decode = createDecoding(LONGEST_DECODING_MS);

/** Identifies an image by its first bytes and its header. Doesn't decode the pixels. */
export const judgeImage = (bytes: Buffer, person: string): Promise<Judged> =>
  decode(person, "judge", bytes).catch((cause: unknown) => ({ kind: "no_image", cause }));
