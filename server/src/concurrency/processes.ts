import { type ChildProcess, fork } from "node:child_process";
import { addAbortListener } from "node:events";
import { getCompileCacheDir } from "node:module";
import { getPriority, setPriority } from "node:os";
import { dirname } from "node:path";

/*
 * Child processes for work that can't be interrupted, or that can run out of memory. Unlike a thread, a process can
 * always be killed and never ends the server. Of the server's environment, they get only the folder of Node's compile
 * cache.
 */

/** Added to the niceness of the server, which may not be 0. Only root can lower a niceness. */
const NICER = 10;
const URGENT_MS = 2_000;
const LONGEST_IDLE_MS = 60_000;
const COMPILED = getCompileCacheDir();
const ENVIRONMENT = COMPILED === undefined ? {} : { NODE_COMPILE_CACHE: dirname(COMPILED) };

function lowerPriority({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid && exitCode === null && signalCode === null) setPriority(pid, Math.min(getPriority() + NICER, 19));
}

type Helper = { child: ChildProcess; idleTimer: NodeJS.Timeout; fail?: (reason: Error) => void; isLowered?: true };
/** Sends a message, and bytes to the standard input, which copies less than a message. Resolves with the next message from the process. */
export type Ask = <Answer>(message: object | string, bytes?: readonly Uint8Array[]) => Promise<Answer>;

type ProcessOptions = { execArgv?: string[]; isUrgent?: boolean };

/**
 * `program` gets one message at a time and answers it. It must flush the compile cache, and end on `disconnect`. It has a
 * lower priority than requests. On a busy machine, it could wait for minutes, so if it `isUrgent`, it has the lower
 * priority only after two seconds of work, and is not used again.
 */
export function createProcesses(program: URL, { execArgv = [], isUrgent = false }: ProcessOptions = {}) {
  const all = new Set<ChildProcess>();
  const idle: Helper[] = [];

  function endIfIdle(helper: Helper): void {
    if (idle.includes(helper)) idle.splice(idle.indexOf(helper), 1)[0]?.child.kill("SIGKILL");
  }

  function start(): Helper {
    const stdio = ["pipe", "ignore", "ignore", "ipc"] as const;
    const child = fork(program, { serialization: "advanced", execArgv, env: ENVIRONMENT, stdio: [...stdio] });
    if (!isUrgent) lowerPriority(child);
    child.unref();
    all.add(child);
    const idleTimer = setTimeout(() => endIfIdle(helper), LONGEST_IDLE_MS).unref();
    const helper: Helper = { child, idleTimer };
    child.on("error", (error) => helper.fail?.(error));
    // The process may end before it has read everything.
    child.stdin?.on("error", (error) => helper.fail?.(error));
    child.on("exit", (_code, signal) => {
      all.delete(child);
      endIfIdle(helper);
      helper.fail?.(new Error("The process ended before it answered", { cause: signal }));
    });
    return helper;
  }

  return {
    /**
     * Runs `work` with a process. Kills the process if it fails, if `stop` aborts, or unless it is kept.
     * @throws Error if the process ends; its `cause` is the signal
     */
    async run<T>(stop: AbortSignal, work: (ask: Ask) => Promise<T>, isKept = true): Promise<T> {
      stop.throwIfAborted();
      const helper = idle.pop() ?? start();
      const { child, idleTimer } = helper;
      const listener = addAbortListener(stop, () => child.kill("SIGKILL"));
      const lower = (): void => {
        helper.isLowered = true;
        lowerPriority(child);
      };
      const timer = isUrgent ? setTimeout(lower, URGENT_MS).unref() : undefined;
      const ask: Ask = (message, bytes = []) =>
        new Promise((resolve, reject) => {
          helper.fail = reject;
          child.once("message", resolve);
          child.send(message);
          for (const part of bytes) child.stdin?.write(part);
        });
      child.channel?.ref();
      try {
        const result = await work(ask);
        idle.push(helper);
        idleTimer.refresh();
        if (!isKept || helper.isLowered) endIfIdle(helper);
        return result;
      } catch (error) {
        child.kill("SIGKILL");
        throw stop.aborted ? stop.reason : error;
      } finally {
        clearTimeout(timer);
        listener[Symbol.dispose]();
        child.channel?.unref();
      }
    },

    close(): void {
      for (const child of all) child.kill("SIGKILL");
    },
  };
}
