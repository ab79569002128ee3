import { gzipSync } from "node:zlib";
import sharp from "sharp";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { imageLoads } from "../../concurrency/budgets.ts";
import { createImageFetcher, type ImageFetcher } from "../../upstreams/image-endpoint.ts";
import { startLocalUpstream, type LocalUpstream } from "../../testing/local-upstream.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { createImageCache, type ImageCache } from "./image-cache.store.ts";
import { createOriginals, type Original, type Originals } from "./originals.service.ts";

const ANA = "ana";
const BEN = "ben";
const CLEO = "cleo";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let host: LocalUpstream;
let fetcher: ImageFetcher;
let cache: ImageCache;
let passedMs: number;
let png: Buffer;
beforeEach(async () => {
  [folder, host] = await Promise.all([temporaryFolder(), startLocalUpstream()]);
  passedMs = 0;
  const now = (): Date => new Date(Date.now() + passedMs);
  cache = createImageCache({
    folder: folder.path,
    limitBytes: 1_000_000,
    report: (error) => expect.fail(String(error)),
    now,
  });
  png = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
    .png()
    .toBuffer();
});
afterEach(async () => {
  await Promise.all([fetcher.close(), cache.close()]);
  await Promise.all([host.close(), folder.remove()]);
});

function open(timeoutMs: number): Originals {
  fetcher = createImageFetcher({ allowedHosts: [host.host], timeoutMs });
  return createOriginals({
    cache,
    fetchImage: fetcher.fetchImage,
    ownPhoto: async () => null,
    now: () => new Date(Date.now() + passedMs),
  });
}
const isThere = (path: string): void => host.on(path, { headers: { "content-type": "image/png" }, body: png });
const asked = (start: string): number => host.seen.filter(({ path }) => path.startsWith(start)).length;

test("hanging images delay only their own requests, even on the same host", async () => {
  const originals = open(20_000);
  const held: (() => void)[] = [];
  const ask = (who: string, count: number, person: string): Promise<Original>[] =>
    Array.from({ length: count }, (_, at) => {
      host.on(`/${who}/${at}`, (response) => void held.push(() => response.writeHead(404).end()));
      return originals.get(`${host.origin}/${who}/${at}`, person);
    });
  const hanging = Promise.all([...ask("ana", 40, ANA), ...ask("cleo", 40, CLEO), ...ask("looks", 20, "background")]);
  const askedFor = () => ["/ana", "/cleo", "/looks"].map(asked);
  await vi.waitFor(() => expect(askedFor()).toEqual([4, 4, 4]), { timeout: 20_000 });
  isThere("/good");
  expect(await originals.get(`${host.origin}/good`, BEN)).toMatchObject({ kind: "image", wasKept: false });

  // A fetch that waits behind other fetches of the background or of Ana gets any free slot.
  host.on("/ana/39", { headers: { "content-type": "image/png" }, body: png });
  expect(await originals.get(`${host.origin}/ana/39`, BEN)).toMatchObject({ kind: "image" });

  const release = setInterval(() => held.splice(0).forEach((answer) => answer()), 5);
  const answers = await hanging;
  clearInterval(release);
  expect(answers.filter(({ kind }) => kind === "image")).toMatchObject([{ wasKept: true }]);
});

test("a host that failed five times is paused for a minute, then probed; cached images are still served", async () => {
  const originals = open(300);
  const get = (path: string, person: string = ANA) => originals.get(`${host.origin}${path}`, person);
  const told = `${host.host} does not respond. It will be tried again later`;
  isThere("/kept");
  await get("/kept");
  host.on("/slow", () => undefined);
  for (const path of ["/torn", "/more"]) host.on(path, (response) => response.socket?.resetAndDestroy());
  isThere("/good");

  // An answer resets the count, whatever it is.
  for (const path of ["/torn", "/torn", "/none", "/slow", "/torn", "/torn", "/torn"]) await get(path);
  expect(await get("/more")).toMatchObject({ kind: "none", message: "Its host could not be reached" });
  expect(await get("/good")).toEqual({
    kind: "none",
    message: told,
    mayPass: true,
    cause: { kind: "unavailable", message: told },
  });
  expect([await get("/kept"), asked("/good")]).toMatchObject([{ kind: "image", wasKept: true }, 0]);
  expect(await get("/more", BEN)).toMatchObject({ message: "Its host could not be reached" });

  passedMs = 60_000;
  const probes = await Promise.all(["/more", "/torn"].map((path) => get(path)));
  expect(new Set(probes.map((one) => one.kind === "none" && one.message))).toEqual(
    new Set([told, "Its host could not be reached"]),
  );
  // A failed probe doubles the pause.
  passedMs = 179_000;
  expect(await get("/good")).toMatchObject({ message: told });
  passedMs = 181_000;
  expect(await get("/good")).toMatchObject({ kind: "image" });
  expect(await get("/more")).toMatchObject({ message: "Its host could not be reached" });
});

test.each([
  ["an image", "image/png", 200, 0],
  ["a web page", "text/html", 200, 4],
  ["a damaged image", "image/png", 200, 0],
  ["an error", "text/plain", 404, 4],
])("a viewer is charged a millisecond for each 50 kB of %s", async (kind, type, status, moreMs) => {
  const originals = open(20_000);
  const body = Buffer.concat([kind === "an image" ? png : Buffer.alloc(0), Buffer.alloc(300_000)]);
  host.on("/file", { status, headers: { "content-type": type }, body });
  const spend = vi.spyOn(imageLoads, "spend");
  const original = await originals.get(`${host.origin}/file`, ANA);
  expect(original.kind).toBe(kind === "an image" ? "image" : "none");
  const spent = spend.mock.calls.map(([person, ms]) => (person === ANA ? ms : Infinity));
  expect(spent.reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(body.length / 50_000 + moreMs);
  spend.mockRestore();
});

test("a compressed answer is not read", async () => {
  const originals = open(20_000);
  host.on("/packed", { headers: { "content-type": "image/png", "content-encoding": "gzip" }, body: gzipSync(png) });
  expect(await originals.get(`${host.origin}/packed`, ANA)).toMatchObject({
    kind: "none",
    message: "Its host sent it compressed",
    mayPass: false,
  });
  expect(host.seen[0]?.headers["accept-encoding"]).toBe("identity");
});
