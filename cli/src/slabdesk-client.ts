import { setTimeout as sleep } from "node:timers/promises";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { profileSchema } from "@slabdesk/contract/api/people.ts";
import { scanSessionSchema, type ExportFormat, type ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { RunOptions } from "./arguments.ts";
import { CommandError, EXIT, NotNow, systemCodeOf } from "./command-error.ts";
import { plainText } from "./screen.ts";
import type { SheetFile } from "./sheet-file.ts";

/*
 * The client for the server. A request returns a response, or throws a `CommandError` that a retry can't fix. After a
 * `NotNow`, it retries without limit once the server has responded, because runs can take days and laptops sleep.
 */

const TRIES_WITH_A_BROKEN_SERVER = 3;
/** The time limit of one request. Longer than any of these responses takes. */
const ANSWER_WITHIN_MS = 300_000;
const BUSY_STATUSES = new Set([408, 425, 429, 502, 503, 504]);

/** The required fields of an error body. Unknown codes of a newer server are accepted. */
const errorMessageSchema = errorBodySchema.pick({ error: true, requestId: true });

export type ClientOptions = {
  server: URL;
  token: string;
  signal: AbortSignal;
  onWait: (message: string, waitMs: number, tries: number) => void;
  onBack: () => void;
};

type Call = { method: "GET" | "POST"; path: string; headers?: Record<string, string>; body?: Buffer<ArrayBuffer> };

/** The id is part of a command that the user copies, so it may contain only safe characters. */
const ID = /^[\w-]{1,100}$/;

const sessionSchema = scanSessionSchema.refine(({ id }) => ID.test(id));

type Schema<T> = { safeParse(body: unknown): { success: true; data: T } | { success: false } };

export class SlabdeskClient {
  readonly #options: ClientOptions;
  #hasAnswered = false;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  async checkToken(): Promise<void> {
    await this.#json({ method: "GET", path: "api/profile" }, profileSchema);
  }

  /** Stores a sheet and starts its run, once per key. `isNew` is false if it already existed. */
  async createSession(sheet: SheetFile, run: RunOptions, key: string) {
    const query = new URLSearchParams({
      csvFilename: sheet.fileName,
      mode: run.mode,
      includePricing: String(run.includePricing),
      reuseKnown: String(run.reuseKnown),
      acceptCompanies: String(run.acceptCompanies),
      ...(run.sessionName === null ? {} : { sessionName: run.sessionName }),
    });
    const headers = { "content-type": "text/csv", "idempotency-key": key };
    const path = `api/scan-sessions?${query.toString()}`;
    const { value, status } = await this.#json({ method: "POST", path, headers, body: sheet.bytes }, sessionSchema);
    return { session: value, isNew: status === 201 };
  }

  async session(id: string): Promise<ScanSession> {
    return (await this.#json({ method: "GET", path: pathOf(id) }, sessionSchema)).value;
  }

  /** Resumes a stopped session. Other sessions don't change. */
  async resume(id: string): Promise<ScanSession> {
    return (await this.#json({ method: "POST", path: `${pathOf(id)}/resume` }, sessionSchema)).value;
  }

  /** Passes the session's file to `write`. Calls it again if the download breaks (`write` throws `NotNow`). */
  async download(id: string, format: ExportFormat, write: (response: Response) => Promise<void>): Promise<void> {
    const path = `${pathOf(id)}/export?format=${encodeURIComponent(format)}`;
    // With compression, Content-Length wouldn't be the file's length.
    const headers = { "accept-encoding": "identity" };
    await this.#persist(async () => write(await this.#send({ method: "GET", path, headers }, this.#options.signal)));
  }

  async #json<T>(call: Call, schema: Schema<T>): Promise<{ value: T; status: number }> {
    return this.#persist(async () => {
      const signal = AbortSignal.any([this.#options.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
      const response = await this.#send(call, signal);
      const parsed = schema.safeParse(await this.#readJson(response));
      if (!parsed.success) throw this.#notSlabdesk();
      return { value: parsed.data, status: response.status };
    });
  }

  async #persist<T>(attempt: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        const answer = await attempt();
        this.#hasAnswered = true;
        if (tries > 1) this.#options.onBack();
        return answer;
      } catch (error) {
        if (!(error instanceof NotNow)) throw error;
        if (this.#isHopeless(error, tries)) throw new CommandError(EXIT.unreachable, error.message, { cause: error });
        const waitMs = waitBeforeTryMs(tries, error.retryAfterMs, Math.random());
        this.#options.onWait(error.message, waitMs, tries);
        await sleep(waitMs, undefined, { signal: this.#options.signal });
      }
    }
  }

  /** If the server has never responded, the address may be wrong. */
  #isHopeless({ kind }: NotNow, tries: number): boolean {
    if (kind === "unreached") return !this.#hasAnswered;
    return kind === "broken" && tries >= TRIES_WITH_A_BROKEN_SERVER;
  }

  /** Returns a successful response. @throws CommandError or NotNow for any other response */
  async #send({ method, path, headers, body }: Call, signal: AbortSignal): Promise<Response> {
    const { server, token } = this.#options;
    let response: Response;
    try {
      response = await fetch(new URL(path, server), {
        method,
        headers: { ...headers, authorization: `Bearer ${token}` },
        body: body ?? null,
        // Following a redirect could send the token to another host.
        redirect: "manual",
        signal,
      });
    } catch (error) {
      if (this.#options.signal.aborted) throw error;
      throw this.#unreached(error);
    }
    if (response.ok) return response;
    throw await this.#refusalOf(response);
  }

  async #readJson(response: Response): Promise<unknown> {
    try {
      return await response.json();
    } catch (error) {
      if (error instanceof SyntaxError) return null;
      if (this.#options.signal.aborted) throw error;
      throw this.#unreached(error);
    }
  }

  async #refusalOf(response: Response): Promise<CommandError | NotNow> {
    const { status, headers } = response;
    if (status >= 300 && status < 400) {
      await response.body?.cancel();
      const to = plainText(headers.get("location") ?? "nowhere");
      const message = `${this.#name()} redirects to ${to}, and the token is not sent there`;
      return new CommandError(EXIT.unreachable, `${message}. If that is your server, name it with --server`);
    }
    const body = errorMessageSchema.safeParse(await this.#readJson(response));
    const message = body.success ? plainText(body.data.error) : null;
    if (BUSY_STATUSES.has(status)) {
      if (message === null && !this.#hasAnswered) return this.#notSlabdesk();
      this.#hasAnswered = true;
      const retryAfterMs = parseRetryAfter(headers.get("retry-after"), Date.now());
      return new NotNow("busy", message ?? `${this.#name()} returned ${status}`, { retryAfterMs });
    }
    if (status >= 500) {
      const id = body.success ? ` (request ${plainText(body.data.requestId)})` : "";
      return new NotNow("broken", `${message ?? `${this.#name()} returned ${status}`}${id}`);
    }
    if (status === 401 || status === 403) {
      const reason = message ?? "The server rejected the token";
      return new CommandError(EXIT.notSignedIn, `${reason}. To get a token, see docs/cli.md`);
    }
    if (message === null) return this.#notSlabdesk();
    return new CommandError(EXIT.refused, status === 409 ? `${message}. Use --again to start a new run` : message);
  }

  #unreached(error: unknown): NotNow {
    const inner = error instanceof Error && error.cause !== undefined ? error.cause : error;
    const code = systemCodeOf(inner);
    const hint = this.#hasAnswered ? "" : ". Check that it is running (npm start) and that SLABDESK_URL is right";
    return new NotNow("unreached", `${this.#name()} is not reachable${code === null ? "" : ` (${code})`}${hint}`, {
      cause: error,
    });
  }

  #notSlabdesk(): CommandError {
    const message = `The server at ${this.#name()} is not a Slabdesk server, or is a different version`;
    return new CommandError(EXIT.unreachable, message);
  }

  #name(): string {
    return this.#options.server.href.replace(/\/$/, "");
  }
}

const pathOf = (sessionId: string): string => `api/scan-sessions/${encodeURIComponent(sessionId)}`;

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
const LONGEST_RETRY_AFTER_MS = 3_600_000;

/** The wait before the next try after `tries` failures. It doubles each time, unless the server names another. */
export function waitBeforeTryMs(tries: number, retryAfterMs: number | null, random: number): number {
  if (retryAfterMs !== null) return Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS) + random * FIRST_WAIT_MS;
  return Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS) * (0.5 + random / 2);
}

/** Parses a `Retry-After` header in seconds or as a date. Null if it is missing or invalid. */
export function parseRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
