import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chooseNode } from "./paths.mjs";
import { SetupError } from "./setup-error.mjs";

let folder: string;
let otherLibc: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "slabdesk-node-"));
  otherLibc = join(folder, "node");
  writeFileSync(otherLibc, "#!/lib/ld-of-another-libc\n");
  chmodSync(otherLibc, 0o755);
});

afterAll(() => rmSync(folder, { recursive: true }));

test.each(["24.0.0", "24.21.0", "26.1.0"])("Node %s runs everything itself", (running) => {
  expect(chooseNode(running, otherLibc)).toBe(process.execPath);
});

test("an older Node starts the packaged one", () => {
  const packaged = process.execPath;
  expect(chooseNode("20.11.0", packaged)).toBe(packaged);
});

test.each([
  ["is not there", () => join(folder, "none"), "none comes from npm"],
  ["does not start on this machine", () => otherLibc, "the one from npm cannot be started on this machine"],
])("with an older Node and a package that %s, says what to install", (_case, packaged, message) => {
  expect(() => chooseNode("20.11.0", packaged())).toThrow(SetupError);
  expect(() => chooseNode("20.11.0", packaged())).toThrow(
    new RegExp(`^Slabdesk needs Node 24; this is v20\\.11\\.0, and ${message}.*\nInstall Node 24`),
  );
});
