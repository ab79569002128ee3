import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseConfig } from "../config.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { openSecretsKey } from "./secrets-key.ts";

const HEX = "0f".repeat(32);

test("the key of the settings is 32 bytes in base64 or hexadecimal; any other is refused with what to do", () => {
  const key = Buffer.from(HEX, "hex");
  for (const text of [HEX, key.toString("base64"), key.toString("base64url")])
    expect(parseConfig({ SECRETS_KEY: text }).SECRETS_KEY).toEqual(key);
  for (const text of ["secret", HEX.slice(2), `${HEX}00`, key.toString("base64").slice(4)])
    expect(() => parseConfig({ SECRETS_KEY: text })).toThrow(/SECRETS_KEY: must be 32 bytes.*openssl rand -base64 32/);
});

test("without that setting, the key is a file in the data folder that only its owner can read", async () => {
  const folder = await temporaryFolder();
  try {
    const path = join(folder.path, "secrets.key");
    const nodes = [openSecretsKey(undefined, folder.path), openSecretsKey(undefined, folder.path)];
    expect(await nodes[0]?.read()).toBeNull();
    const keys = await Promise.all(nodes.map((node) => node.readOrCreate()));
    expect(keys[0]).toHaveLength(32);
    expect(keys[1]).toEqual(keys[0]);
    expect((await stat(path)).mode % 0o1000).toBe(0o600);
    expect(await openSecretsKey(undefined, folder.path).read()).toEqual(keys[0]);
    await writeFile(path, "");
    await expect(openSecretsKey(undefined, folder.path).read()).rejects.toThrow(/secrets\.key holds no key/);
  } finally {
    await folder.remove();
  }
});
