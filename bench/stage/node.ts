import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { COMPILED, SERVER_OPTIONS } from "../../scripts/paths.mjs";
import { startChild } from "./child.ts";
import { Visitor } from "./visitor.ts";

const run = promisify(execFile);

const ADMIN = { email: "owner@example.com", password: "measured-on-purpose" };

/** A server process with production settings except pacing and quota. */
export type ServerNode = {
  origin: string;
  /** Signs in the first administrator. */
  visit(): Promise<Visitor>;
  /** The process's memory in bytes. */
  memory(): Promise<number>;
  stop(): Promise<void>;
};

export async function startNode(settings: Record<string, string>): Promise<ServerNode> {
  const child = await startChild("server/src/main.ts", {
    nodeOptions: SERVER_OPTIONS,
    env: {
      NODE_COMPILE_CACHE: COMPILED,
      UPSTREAMS: "live",
      PORT: "0",
      LOG_LEVEL: "error",
      CARD_DELAY_MS: "0",
      PSA_DAILY_QUOTA: "10000000",
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ...settings,
    },
    ready: /http:\/\/localhost:\d+/,
  });
  const port = /http:\/\/localhost:(\d+)/.exec(child.stdout)?.[1] ?? "";
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    visit: () => Visitor.signIn(origin, ADMIN),
    async memory() {
      const { stdout } = await run("ps", ["-o", "rss=", "-p", String(child.process.pid)]);
      return Number(stdout) * 1024;
    },
    stop: child.stop,
  };
}
