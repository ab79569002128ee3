import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fileTarget, identityOf, stdoutTarget, writeDownload } from "./output-file.ts";

const { signal } = new AbortController();
let folder: string;
const path = (name: string): string => join(folder, name);

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "slabdesk-output-")));
  await writeFile(path("certs.csv"), "the sheet");
  await writeFile(path("out.csv"), "an earlier result");
});
afterEach(() => rm(folder, { recursive: true }));

const target = async (name: string) => fileTarget(path(name), await identityOf(path("certs.csv")));

describe("an output path", () => {
  test.each(["out.csv", "new.csv"])("accepts %s", async (name) => {
    expect(await target(name)).toEqual({ kind: "file", path: path(name) });
  });

  test("keeps a symbolic link and replaces the file behind it", async () => {
    await symlink("out.csv", path("link.csv"));
    await writeDownload(await target("link.csv"), new Response("new", { headers: { "content-length": "3" } }), signal);
    expect([await readlink(path("link.csv")), await readFile(path("out.csv"), "utf8")]).toEqual(["out.csv", "new"]);
  });

  test("keeps the mode of the file that it replaces", async () => {
    await chmod(path("out.csv"), 0o600);
    await writeDownload(await target("out.csv"), new Response("new", { headers: { "content-length": "3" } }), signal);
    expect((await stat(path("out.csv"))).mode.toString(8)).toBe("100600");
  });

  test.each([
    ["certs.csv", "it is the sheet itself"],
    ["link-to-the-sheet.csv", "it is the sheet itself"],
    ["folder", "it is a folder"],
    ["none/out.csv", "the folder doesn't exist"],
    ["certs.csv/out.csv", "the folder doesn't exist"],
    ["device", "it is not a regular file"],
  ])("refuses %s: %s", async (name, message) => {
    await mkdir(path("folder"));
    await symlink("certs.csv", path("link-to-the-sheet.csv"));
    await symlink("/dev/null", path("device"));
    await expect(target(name)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(message) });
  });

  test("refuses a terminal for a binary format", async () => {
    const stream = new PassThrough();
    for (const format of ["xlsx", "images.zip"] as const)
      await expect(stdoutTarget(stream, true, format, null)).rejects.toMatchObject({ exitCode: 2 });
    expect(await stdoutTarget(stream, false, "xlsx", null)).toMatchObject({ kind: "stdout" });
    expect(await stdoutTarget(stream, true, "csv", null)).toMatchObject({ kind: "stdout" });
  });
});

describe("a download", () => {
  const broken: [string, () => Response, string][] = [
    ["shorter than it announced", () => announce("abc", 5), "has 3 bytes instead of 5"],
    ["longer than it announced", () => announce("abcdef", 5), "has 6 bytes instead of 5"],
    ["without an end marker", () => new Response("abc"), "doesn't say where the file ends"],
    ["that breaks", () => new Response(breaking(), { headers: { "transfer-encoding": "chunked" } }), "was interrupted"],
  ];
  const announce = (body: string, length: number): Response =>
    new Response(body, { headers: { "content-length": String(length) } });

  test.each(broken)("that %s leaves the earlier file and no other", async (_case, response, message) => {
    const writing = writeDownload(await target("out.csv"), response(), signal);
    await expect(writing).rejects.toMatchObject({
      name: "NotNow",
      kind: "broken",
      message: expect.stringContaining(message),
    });
    expect(await readFile(path("out.csv"), "utf8")).toBe("an earlier result");
    expect((await readdir(folder)).toSorted()).toEqual(["certs.csv", "out.csv"]);
  });

  test.each(broken)("that %s cannot be undone on stdout", async (_case, response) => {
    const stream = new PassThrough();
    stream.resume();
    await expect(writeDownload({ kind: "stdout", stream }, response(), signal)).rejects.toMatchObject({ exitCode: 4 });
  });

  test("works for the longest possible file name", async () => {
    const name = `${"n".repeat(251)}.csv`;
    await writeDownload(await target(name), announce("abc", 3), signal);
    expect(await readFile(path(name), "utf8")).toBe("abc");
  });

  test("written to stdout leaves stdout open", async () => {
    const stream = new PassThrough();
    await writeDownload({ kind: "stdout", stream }, announce("abc", 3), signal);
    stream.end("!");
    expect(await text(stream)).toBe("abc!");
  });

  test("reports a closed reader", async () => {
    const stream = new PassThrough();
    stream.destroy(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    stream.on("error", () => {});
    await expect(writeDownload({ kind: "stdout", stream }, announce("abc", 3), signal)).rejects.toMatchObject({
      exitCode: 2,
    });
  });
});

function breaking(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode("abc"));
      controller.error(new TypeError("terminated"));
    },
  });
}
