import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { canReach, readAccounts } from "./account.ts";

let folder: string;
const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
const other = 65_000;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "embedded-database-account-"));
});

afterAll(() => rm(folder, { recursive: true }));

test.each([
  { mode: 0o700, who: "owner", ...own, reaches: true },
  { mode: 0o711, who: "owner", ...own, reaches: true },
  { mode: 0o600, who: "owner", ...own, reaches: false },
  { mode: 0o750, who: "group", uid: other, gid: own.gid, reaches: true },
  { mode: 0o705, who: "group", uid: other, gid: own.gid, reaches: false },
  { mode: 0o711, who: "others", uid: other, gid: other, reaches: true },
  { mode: 0o704, who: "others", uid: other, gid: other, reaches: false },
  { mode: 0o770, who: "others", uid: other, gid: other, reaches: false },
])("$who with a folder of mode $mode: $reaches", async ({ mode, uid, gid, reaches }) => {
  await chmod(folder, mode);
  expect(canReach({ name: "somebody", uid, gid }, join(folder, "not", "there", "yet"))).toBe(reaches);
});

test("accounts are read without root and without unnamed lines", async () => {
  const file = join(folder, "passwd");
  await chmod(folder, 0o700);
  await writeFile(file, "root:x:0:0::/root:/bin/sh\nnobody:x:65534:65533::/:/bin/false\n\n+::::::\n");
  expect(readAccounts(file)).toEqual([{ name: "nobody", uid: 65_534, gid: 65_533 }]);
});

test("a machine without /etc/passwd is a no_account problem", () => {
  expect(() => readAccounts(join(folder, "not", "there"))).toThrow(expect.objectContaining({ problem: "no_account" }));
});
