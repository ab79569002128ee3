import { afterEach, beforeEach, expect, test } from "vitest";
import { createExchange } from "./http-exchange.ts";
import {
  createImageFetcher,
  GRADER_IMAGE_HOSTS,
  lookupPublic,
  PrivateAddressError,
  type ImageFetcher,
} from "./image-endpoint.ts";
import { isOnListedHost } from "./listed-hosts.ts";
import { startLocalUpstream } from "../testing/local-upstream.ts";
import type { LocalUpstream } from "../testing/local-upstream.ts";

let upstream: LocalUpstream;
let elsewhere: LocalUpstream;
let fetcher: ImageFetcher;

const fetcherFor = (allowedHosts: readonly string[] | undefined): ImageFetcher =>
  createImageFetcher({ allowedHosts, timeoutMs: 1500, maxBytes: 1000 });

beforeEach(async () => {
  [upstream, elsewhere] = await Promise.all([startLocalUpstream(), startLocalUpstream()]);
  fetcher = fetcherFor([upstream.host]);
});
afterEach(async () => {
  await fetcher.close();
  await Promise.all([upstream.close(), elsewhere.close()]);
});

test("an image of a listed host comes with its type", async () => {
  upstream.on("/front.jpg", { headers: { "content-type": "image/jpeg" }, body: Buffer.from([255, 216, 255]) });
  expect(await fetcher.fetchImage(`${upstream.origin}/front.jpg`)).toEqual({
    kind: "image",
    bytes: Buffer.from([255, 216, 255]),
    contentType: "image/jpeg",
  });
});

test("an unlisted host is refused before anything is sent", async () => {
  const addresses = [
    `${elsewhere.origin}/x.jpg`,
    "file:///etc/passwd",
    "ftp://127.0.0.1/x.jpg",
    "data:image/png;base64,AAAA",
    "",
    "no address",
  ];
  for (const address of addresses) expect(await fetcher.fetchImage(address)).toMatchObject({ kind: "refused" });
  expect(elsewhere.seen).toEqual([]);
});

test("without a list, only the graders' own hosts are allowed", async () => {
  const standard = fetcherFor(undefined);
  expect(await standard.fetchImage(`${upstream.origin}/x.jpg`)).toMatchObject({ kind: "refused" });
  expect(upstream.seen).toEqual([]);
  await standard.close();
});

test("follows a redirect to a listed host and refuses any other", async () => {
  const both = fetcherFor([upstream.host, "localhost"]);
  upstream.on("/away", { status: 302, headers: { location: `${elsewhere.origin}/x.jpg` } });
  upstream.on("/on", { status: 302, headers: { location: elsewhere.origin.replace("127.0.0.1", "localhost") } });
  elsewhere.on("/", { headers: { "content-type": "image/png" }, body: "png" });
  expect(await both.fetchImage(`${upstream.origin}/away`)).toMatchObject({ kind: "refused" });
  upstream.on("/file", { status: 302, headers: { location: "file:///etc/passwd" } });
  expect(await both.fetchImage(`${upstream.origin}/file`)).toEqual({
    kind: "refused",
    message: "Images are not fetched from this address",
  });
  expect(elsewhere.seen).toEqual([]);
  expect(await both.fetchImage(`${upstream.origin}/on`)).toMatchObject({ kind: "image", contentType: "image/png" });
  await both.close();
});

test("every failure is a value with a message", async () => {
  upstream.on("/missing", { status: 403, body: "<Error/>" });
  upstream.on("/gone", { status: 404 });
  upstream.on("/down", { status: 503 });
  upstream.on("/page", { headers: { "content-type": "text/html" }, body: "<p>" });
  upstream.on("/large", { headers: { "content-type": "image/jpeg" }, body: Buffer.alloc(1001) });
  upstream.on("/slow", () => undefined);
  upstream.on("/reset", (response) => response.socket?.resetAndDestroy());
  const kinds: Record<string, unknown> = {};
  for (const path of ["/missing", "/gone", "/down", "/page", "/large", "/slow", "/reset"]) {
    const answer = await fetcher.fetchImage(`${upstream.origin}${path}`);
    expect(answer).toHaveProperty("message", expect.stringMatching(/\w/) as unknown);
    kinds[path] = answer.kind;
  }
  expect(kinds).toEqual({
    "/missing": "missing",
    "/gone": "missing",
    "/down": "unavailable",
    "/page": "not_an_image",
    "/large": "too_large",
    "/slow": "timed_out",
    "/reset": "unavailable",
  });
});

test("an entry with a port allows that port, one without allows all", () => {
  const url = new URL("https://images.example/x");
  const otherPort = new URL("https://images.example:8443/x");
  expect(isOnListedHost(url, ["images.example"])).toBe(true);
  expect(isOnListedHost(otherPort, ["images.example"])).toBe(true);
  expect(isOnListedHost(url, ["images.example:443"])).toBe(true);
  expect(isOnListedHost(otherPort, ["images.example:443"])).toBe(false);
  expect(isOnListedHost(new URL("https://images.example.evil.test/x"), ["images.example"])).toBe(false);
  expect(GRADER_IMAGE_HOSTS.every((host) => isOnListedHost(new URL(`https://${host}/x.jpg`), GRADER_IMAGE_HOSTS))).toBe(
    true,
  );
});

test("a public name with a private address is refused on connecting", async () => {
  const exchange = createExchange({
    timeoutMs: 20_000,
    limitBytes: 1000,
    mayFollow: () => false,
    lookup: lookupPublic,
  });
  const answer = await exchange.send({ url: upstream.origin.replace("127.0.0.1", "localhost") });
  expect(answer).toMatchObject({ kind: "network_error", cause: expect.any(PrivateAddressError) as unknown });
  expect(upstream.seen).toEqual([]);
  await exchange.close();
});
