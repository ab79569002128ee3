import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { activityListSchema } from "@slabdesk/contract/api/activity.ts";
import type { Mode } from "@slabdesk/contract/api/cards.ts";
import type { Profile, Role } from "@slabdesk/contract/api/people.ts";
import type { RowSales } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow, ResultsPage } from "@slabdesk/contract/api/results.ts";
import type { ExportFormat, ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { sourceListSchema } from "@slabdesk/contract/api/sources.ts";
import type { z } from "zod";
import type { ChosenFile } from "../golden/made-up-sheets.ts";
import type { Product } from "./product.ts";

export type Person = { id: string; email: string; password: string; fullName: string; role: Role };
type SourceList = z.infer<typeof sourceListSchema>;
type Activity = z.infer<typeof activityListSchema>["activity"];
/** A run's options as the query of an upload. */
type RunQuery = { mode?: Mode; reuseKnown?: "false"; acceptCompanies?: "true"; includePricing?: "true" };

/** The administrator's requests over HTTP, to prepare a journey and to check its results. */
export class AdminApi {
  readonly #product: Product;
  readonly #token: string;

  private constructor(product: Product, token: string) {
    this.#product = product;
    this.#token = token;
  }

  static async enter(product: Product): Promise<AdminApi> {
    const answer = await send(product.origin, "POST", "/api/auth/sign-in/email", product.admin);
    const { token } = (await answer.json()) as { token: string };
    return new AdminApi(product, token);
  }

  /** Creates a new user, so that journeys don't share data. */
  async addUser({ role = "user", fullName = "Ana Ruiz" }: { role?: Role; fullName?: string } = {}): Promise<Person> {
    const account = { email: `${randomUUID()}@slabdesk.test`, password: "a good password", fullName, role };
    const { id } = await this.#ask<Profile>("POST", "/api/admin/users", account);
    return { id, ...account };
  }

  async setActive(person: Person, isActive: boolean): Promise<void> {
    await this.#ask("PATCH", `/api/admin/users/${person.id}`, { isActive });
  }

  /** A person's activity log, oldest first. */
  async activityOf(person: Person): Promise<Activity> {
    const { activity } = await this.#ask<{ activity: Activity }>("GET", "/api/admin/activity");
    return activity.filter((entry) => entry.userId === person.id).toReversed();
  }

  session(id: string): Promise<ScanSession> {
    return this.#ask("GET", `/api/scan-sessions/${id}`);
  }

  /** Runs a CSV sheet as the administrator. Returns the session's id when the run has ended. */
  async run({ name, buffer }: ChosenFile, options: RunQuery = {}): Promise<string> {
    const query = new URLSearchParams({ csvFilename: name, ...options });
    const { id } = await this.#ask<ScanSession>("POST", `/api/scan-sessions?${query}`, buffer);
    const events = await this.#fetch("GET", `/api/scan-sessions/${id}/events?lastEventId=0`);
    for await (const _ of events.body ?? []) if ((await this.session(id)).status !== "processing") break;
    return id;
  }

  /** Downloads a session in a format. */
  async download(sessionId: string, format: ExportFormat | "xlsx&thumbnails=true"): Promise<Buffer> {
    const answer = await this.#fetch("GET", `/api/scan-sessions/${sessionId}/export?format=${format}`);
    return Buffer.from(await answer.arrayBuffer());
  }

  /** All rows of a session in the sheet's order. */
  async results(sessionId: string): Promise<ResultRow[]> {
    const rows: ResultRow[] = [];
    for (let cursor: string | null = "0"; cursor !== null;) {
      const page: ResultsPage = await this.#ask(
        "GET",
        `/api/scan-sessions/${sessionId}/results?limit=5000&cursor=${cursor}`,
      );
      rows.push(...page.results);
      cursor = page.nextCursor;
    }
    return rows;
  }

  /** The sales behind the prices of a row. */
  sales(rowId: string): Promise<RowSales> {
    return this.#ask("GET", `/api/scan-results/${rowId}/sales`);
  }

  /** Clears the limit learned from PSA's last refusal, so that waiting cards are tried again. */
  async resetQuota(): Promise<void> {
    await this.#ask("POST", "/api/reset-quota-cache", {});
  }

  /** Resumes every paused source for the next journey. */
  async resumeSources(): Promise<void> {
    const { sources } = await this.#ask<SourceList>("GET", "/api/admin/sources");
    const closed = sources.filter(({ endpoints }) =>
      endpoints.some(({ state }) => state !== "open" && state !== "off"),
    );
    for (const { name } of closed) await this.#ask("POST", `/api/admin/sources/${name}/open`, {});
  }

  async #ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    return (await (await this.#fetch(method, path, body)).json()) as Answer;
  }

  #fetch(method: string, path: string, body?: object): Promise<Response> {
    return send(this.#product.origin, method, path, body, { authorization: `Bearer ${this.#token}` });
  }
}

/**
 * Sends a body as JSON, or a file's bytes as CSV. Repeats the request as long as the server is too busy to accept it.
 * Throws if the response is not a success.
 */
async function send(
  origin: string,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Response> {
  const isFile = Buffer.isBuffer(body);
  const type = isFile ? "text/csv" : "application/json";
  const content = isFile ? new Uint8Array(body) : JSON.stringify(body);
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: body === undefined ? headers : { ...headers, "content-type": type },
    body: body === undefined ? null : content,
  });
  const retryAfter = response.headers.get("retry-after");
  if (response.status === 503 && retryAfter !== null) {
    await pause(Number(retryAfter) * 1_000);
    return send(origin, method, path, body, headers);
  }
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return response;
}
