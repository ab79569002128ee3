import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { unlessFailed } from "@slabdesk/embedded-database/embedded-database-error.ts";
import { readKeyText } from "../config.ts";
import { StartFailure } from "../start-failure.ts";

const FILE = "secrets.key";

/** The key that seals credentials: SECRETS_KEY, else a file in the data folder. */
export function openSecretsKey(setting: Buffer | undefined, dataDir: string) {
  const path = join(dataDir, FILE);
  let known: Buffer | null = setting ?? null;

  /** Null if no key exists yet. @throws StartFailure if the file holds no key */
  async function read(): Promise<Buffer | null> {
    known ??= await readKeyFile(path);
    return known;
  }

  return {
    read,
    async readOrCreate(): Promise<Buffer> {
      known = (await read()) ?? (await createKeyFile(path));
      return known;
    },
  };
}

async function readKeyFile(path: string): Promise<Buffer | null> {
  const text = await unlessFailed(["ENOENT"], null, () => readFile(path, "utf8"));
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
    await unlessFailed(["EEXIST"], undefined, () => link(draft, path));
  } finally {
    await rm(draft, { force: true });
  }
  const key = await readKeyFile(path);
  if (!key) throw new Error(`The file ${path} disappeared right after it was made`);
  return key;
}

const ALGORITHM = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a text. It can be read only with the same key and the same `owner`, so it can't be moved to another one. */
export function seal(text: string, key: Buffer, owner: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(owner));
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString("base64");
}

/** Decrypts a sealed text. Returns null if it was sealed with another key or for another owner, or was changed. */
export function unseal(sealed: string, key: Buffer, owner: string): string | null {
  const bytes = Buffer.from(sealed, "base64");
  if (bytes.length < IV_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(owner));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  } catch {
    // The only possible error: the authentication failed.
    return null;
  }
}
