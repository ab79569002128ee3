import { once } from "node:events";
import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Held = () => void;

/**
 * A proxy in front of the upstreams that can hold calls, so that a journey can check a running session without a
 * race. Open, it passes every call on; held, it queues calls until they are released.
 */
export class Gate {
  readonly origin: string;
  readonly #close: () => Promise<void>;
  readonly #waiting: Held[] = [];
  #isHeld = false;
  #passes = 0;

  private constructor(origin: string, close: () => Promise<void>) {
    this.origin = origin;
    this.#close = close;
  }

  /** @param target the origin that receives the calls */
  static async start(target: string): Promise<Gate> {
    const server = createServer((call, answer) => {
      gate.#admit(() => passOn(target, call, answer));
    });
    // The simulator's keep-alive time applies to these connections. Closing one earlier would lose its next call.
    server.keepAliveTimeout = 0;
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const gate: Gate = new Gate(`http://127.0.0.1:${port}`, async () => {
      gate.open();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    });
    return gate;
  }

  /** Holds calls from now on. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Releases the next calls, held ones first; later ones are held again. */
  release(count: number): void {
    this.#passes += count;
    for (const pass of this.#waiting.splice(0, this.#passes)) {
      this.#passes -= 1;
      pass();
    }
  }

  open(): void {
    this.#isHeld = false;
    this.#passes = 0;
    for (const pass of this.#waiting.splice(0)) pass();
  }

  /** The number of calls held now. */
  get waitingCount(): number {
    return this.#waiting.length;
  }

  close(): Promise<void> {
    return this.#close();
  }

  #admit(pass: Held): void {
    if (!this.#isHeld) return pass();
    if (this.#passes === 0) return void this.#waiting.push(pass);
    this.#passes -= 1;
    pass();
  }
}

function passOn(target: string, call: IncomingMessage, answer: ServerResponse): void {
  const onward = sendRequest(new URL(call.url ?? "/", target), { method: call.method, headers: call.headers });
  onward.once("response", (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(answer);
  });
  onward.once("error", () => answer.destroy());
  call.pipe(onward);
}
