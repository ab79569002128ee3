import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/*
 * WebKit as Debian packages it (webkit2gtk-driver and xvfb), driven by the WebDriver protocol. Playwright's own WebKit
 * is a download, which many networks refuse.
 */

const DRIVER = "/usr/bin/WebKitWebDriver";
const SCREEN = "/usr/bin/Xvfb";
const BROWSERS = ["x86_64", "aarch64"].map((cpu) => `/usr/lib/${cpu}-linux-gnu/webkit2gtk-4.1/MiniBrowser`);
const PATIENCE_MS = 60_000;
/** The key of an element's id in the protocol. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

export const hasWebKit: boolean = [DRIVER, SCREEN].every(existsSync) && BROWSERS.some(existsSync);

export type WebKit = {
  open(url: string): Promise<void>;
  type(selector: string, text: string): Promise<void>;
  click(selector: string): Promise<void>;
  /** The value of an expression in the page. */
  read(expression: string): Promise<unknown>;
  close(): Promise<void>;
};

export async function startWebKit(): Promise<WebKit> {
  const processes: ChildProcess[] = [];
  const end = (): void => processes.forEach((one) => one.kill());
  try {
    const screen = spawn(SCREEN, ["-displayfd", "3", "-screen", "0", "1440x900x24", "-nolisten", "tcp"], {
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    });
    processes.push(screen);
    const display = await firstLine(screen);
    const port = await freePort();
    const env = { ...process.env, DISPLAY: `:${display}` };
    processes.push(spawn(DRIVER, [`--port=${port}`], { env, stdio: "ignore" }));
    return { ...(await openSession(`http://127.0.0.1:${port}`)), close: async () => end() };
  } catch (error) {
    end();
    throw error;
  }
}

async function openSession(driver: string): Promise<Omit<WebKit, "close">> {
  const browser = { binary: BROWSERS.find(existsSync), args: ["--automation"] };
  const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": browser } };
  const { sessionId } = await until("the driver", () =>
    send<{ sessionId: string }>(`${driver}/session`, { capabilities }),
  );
  const session = `${driver}/session/${sessionId}`;
  const find = (selector: string): Promise<string> =>
    until(selector, async () => {
      const found = await send<Record<string, string>>(`${session}/element`, {
        using: "css selector",
        value: selector,
      });
      return `${session}/element/${found[ELEMENT]}`;
    });
  return {
    open: (url) => send(`${session}/url`, { url }),
    type: async (selector, text) => send(`${await find(selector)}/value`, { text }),
    click: (selector) => until(`clicking ${selector}`, async () => send(`${await find(selector)}/click`, {})),
    read: (expression) => send(`${session}/execute/sync`, { script: `return ${expression}`, args: [] }),
  };
}

/** A command of the WebDriver protocol. */
async function send<Value>(url: string, body: object): Promise<Value> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const { value } = (await answer.json()) as { value: Value };
  if (!answer.ok) throw new Error(`WebKit answered ${answer.status}: ${JSON.stringify(value)}`);
  return value;
}

/** Tries until it works. */
async function until<Value>(what: string, attempt: () => Promise<Value>): Promise<Value> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline)
        throw new Error(`No success within ${PATIENCE_MS / 1000} s: ${what}`, { cause: error });
      await pause(200);
    }
  }
}

function firstLine({ stdio }: ChildProcess): Promise<string> {
  return new Promise((resolve) => stdio[3]?.once("data", (data: Buffer) => resolve(data.toString().trim())));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("No port is free");
  return address.port;
}
