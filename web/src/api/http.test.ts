import { once } from "node:events";
import { expect, test, vi } from "vitest";
import { ApiError, NetworkError, RequestTimeoutError, UnexpectedAnswerError } from "./errors.ts";
import { requestJson } from "./http.ts";

type Reply = () => Response | Promise<Response>;

/** Replies in turn; returns what was sent. */
function stubFetch(...replies: Reply[]): { url: string; method: string | undefined }[] {
  const sent: { url: string; method: string | undefined }[] = [];
  vi.stubGlobal("fetch", async (url: string, { method, signal }: RequestInit) => {
    sent.push({ url, method });
    const reply = replies.shift();
    if (reply) return reply();
    if (signal) await once(signal, "abort");
    signal?.throwIfAborted();
    throw new Error("fetch was called without a signal");
  });
  return sent;
}

const busy =
  (status: number, headers = {}): Reply =>
  () =>
    new Response("", { status, headers });
const away: Reply = () => {
  throw new TypeError("fetch failed");
};
const ok: Reply = () => Response.json({ is: "here" });

test.each<[string, Reply]>([
  ["no answer", away],
  ["a 502", busy(502)],
  ["a 503 that says when", busy(503, { "retry-after": "0" })],
  ["a 504", busy(504)],
])("a read is sent once more after %s", async (_name, first) => {
  const sent = stubFetch(first, ok);
  expect(await requestJson("status", { searchParams: { t: 1, left: undefined } })).toEqual({ is: "here" });
  expect(sent).toEqual(Array.from({ length: 2 }, () => ({ url: "/api/status?t=1", method: "GET" })));
});

test.each<[string, Reply, Parameters<typeof requestJson>[1]]>([
  ["a change", away, { method: "post", json: {} }],
  ["a 500", busy(500), {}],
  ["a server that is busy for longer than a request may take", busy(503, { "retry-after": "60" }), {}],
])("%s is not sent again", async (_name, first, options) => {
  const sent = stubFetch(first, ok);
  await expect(requestJson("status", options)).rejects.toThrow();
  expect(sent.length).toBe(1);
});

const refused: Reply = () =>
  Response.json({ error: "No such card", code: "not_found", requestId: "r1" }, { status: 404 });

test.each<[string, Reply, object]>([
  ["the server's message", refused, { message: "No such card", code: "not_found", requestId: "r1", status: 404 }],
  ["a proxy's page", () => new Response("<html>", { status: 404 }), { code: "unknown", requestId: null, status: 404 }],
])("an error has %s", async (_name, reply, expected) => {
  stubFetch(reply);
  const error = await requestJson("status").catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject(expected);
});

test("an answer that is not JSON comes from another version; an empty answer is null", async () => {
  stubFetch(
    () => new Response("<html>"),
    () => new Response(""),
  );
  await expect(requestJson("status")).rejects.toBeInstanceOf(UnexpectedAnswerError);
  expect(await requestJson("status")).toBeNull();
});

test("a request ends by timeout, by abort, or after its second failure", async () => {
  stubFetch();
  await expect(requestJson("status", { timeoutMs: 5 })).rejects.toEqual(new RequestTimeoutError(5, {}));
  const leaving = new AbortController();
  const left = requestJson("status", { signal: leaving.signal });
  leaving.abort();
  await expect(left).rejects.toMatchObject({ name: "AbortError" });
  stubFetch(away, away);
  await expect(requestJson("status")).rejects.toBeInstanceOf(NetworkError);
});

test("a request waits 30 seconds unless the caller says otherwise", async () => {
  const timeout = vi.spyOn(AbortSignal, "timeout");
  stubFetch(ok, ok);
  await requestJson("status");
  await requestJson("status", { timeoutMs: 5_000 });
  expect(timeout.mock.calls).toEqual([[30_000], [5_000]]);
});
