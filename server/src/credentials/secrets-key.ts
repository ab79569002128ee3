import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf } from "@slabdesk/embedded-database/embedded-database-error.ts";
import { readKeyText } from "../config.ts";
import { StartFailure } from "../start-failure.ts";

const FILE = "secrets.key";

/** The key that seals credentials: SECRETS_KEY, else a file in the data folder. */
export type SecretsKey = {
  /** Null if no key exists yet. @throws StartFailure if the file holds no key */
  read(): Promise<Buffer | null>;
  readOrCreate(): Promise<Buffer>;
};

export function openSecretsKey(setting: Buffer | undefined, dataDir: string): SecretsKey {
  const path = join(dataDir, FILE);
  let known: Buffer | null = setting ?? null;

  async function read(): Promise<Buffer | null> {
    known ??= await readKeyFile(path);
    return known;
  }

  return {
    read,
    async readOrCreate() {
      const key = (await read()) ?? (await createKeyFile(path));
      known = key;
      return key;
    },
  };
}

async function readKeyFile(path: string): Promise<Buffer | null> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  const key = readKeyText(text.trim());
  if (key) return key;
  throw new StartFailure(
    `The file ${path} holds no key. Put back the file from a backup. If there is none, delete the file, start the ` +
      "server, and enter the credentials again in Admin → Sources.",
  );
}

/** Creates the file in one step. If another process was faster, its key counts. */
async function createKeyFile(path: string): Promise<Buffer> {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(draft, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600, flag: "wx", flush: true });
    await link(draft, path).catch((error: unknown) => {
      if (codeOf(error) !== "EEXIST") throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  const key = await readKeyFile(path);
  if (!key) throw new Error(`The file ${path} disappeared right after it was made`);
  return key;
}
