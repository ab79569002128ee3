import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { chooseNode } from "./paths.mjs";
import { SetupError } from "./setup-error.mjs";

test("Node 24 runs everything; an older one starts the packaged one, or says what to install", () => {
  const folder = mkdtempSync(join(tmpdir(), "slabdesk-node-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const otherLibc = join(folder, "node");
  writeFileSync(otherLibc, "#!/lib/ld-of-another-libc\n");
  chmodSync(otherLibc, 0o755);

  expect(chooseNode("24.0.0", otherLibc)).toBe(process.execPath);
  expect(chooseNode("20.11.0", process.execPath)).toBe(process.execPath);
  expect(() => chooseNode("20.11.0", join(folder, "none"))).toThrow(SetupError);
  expect(() => chooseNode("20.11.0", otherLibc)).toThrow(
    /^Slabdesk needs Node 24; this is v20\.11\.0, and the one from npm cannot be started .*\nInstall Node 24/,
  );
});
