import { randomUUID } from "node:crypto";
import { constants, type BigIntStats } from "node:fs";
import { access, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ExportFormat } from "@slabdesk/contract/api/sessions.ts";
import { CommandError, EXIT, NotNow, systemCodeOf } from "./command-error.ts";

export type Target = { kind: "stdout"; stream: NodeJS.WritableStream } | { kind: "file"; path: string };

type FileIdentity = Pick<BigIntStats, "dev" | "ino">;

const IS_THE_SHEET = "it is the sheet itself, which is never overwritten";
const BINARY_FORMATS: readonly ExportFormat[] = ["xlsx", "images.zip"];

/** @throws CommandError if the format is binary and stdout is a terminal, or if stdout is the sheet's file */
export async function stdoutTarget(
  stream: NodeJS.WritableStream,
  isTerminal: boolean,
  format: ExportFormat,
  sheet: FileIdentity | null,
): Promise<Target> {
  if (isTerminal && BINARY_FORMATS.includes(format)) {
    const message = `${format} is a binary format, so it can't be shown in a terminal. Name a file with -o`;
    throw new CommandError(EXIT.refused, message);
  }
  if (isSameFile(await identityOf("/dev/stdout"), sheet)) throw refusal("stdout", IS_THE_SHEET);
  return { kind: "stdout", stream };
}

/** Checks before the run that the result can be written, and not over `sheet`. @throws CommandError if it can't be */
export async function fileTarget(output: string, sheet: FileIdentity | null): Promise<Target> {
  try {
    // Resolves links, so that replacing the file keeps the link.
    const path = (await unlessMissing(realpath(output))) ?? resolve(output);
    const present = await unlessMissing(stat(path, { bigint: true }));
    if (present?.isDirectory()) throw refusal(output, "it is a folder");
    if (present && !present.isFile()) throw refusal(output, "it is not a regular file. Omit -o to write to stdout");
    if (isSameFile(present, sheet)) throw refusal(output, IS_THE_SHEET);
    await access(dirname(path), constants.W_OK);
    return { kind: "file", path };
  } catch (error) {
    throw explain(output, error);
  }
}

/** The identity of the regular file at a path. Null if there is none. */
export async function identityOf(path: string): Promise<FileIdentity | null> {
  try {
    const found = await stat(path, { bigint: true });
    return found.isFile() ? found : null;
  } catch (error) {
    if (systemCodeOf(error) !== null) return null;
    throw error;
  }
}

function isSameFile(one: FileIdentity | null, other: FileIdentity | null): boolean {
  return one !== null && other !== null && one.dev === other.dev && one.ino === other.ino;
}

function unlessMissing<T>(found: Promise<T>): Promise<T | null> {
  return found.catch((error: unknown) => {
    if (systemCodeOf(error) === "ENOENT") return null;
    throw error;
  });
}

/**
 * Writes a download completely or not at all: to a temporary file, which it renames. A file that it replaces keeps its
 * mode. @throws NotNow if the download
 * broke and can be retried, CommandError if a download to stdout broke or the target can't be written
 */
export async function writeDownload(target: Target, response: Response, signal: AbortSignal): Promise<void> {
  const pieces = piecesOf(response);
  if (target.kind === "stdout") return writeToStdout(target.stream, pieces, signal);
  // The name isn't derived from the target's, which may already have the maximum length.
  const part = join(dirname(target.path), `.slabdesk-${randomUUID().slice(0, 8)}.part`);
  try {
    // Opens the file before the body is read. Otherwise a download that breaks first would leave the file behind.
    const present = await unlessMissing(stat(target.path));
    const file = await open(part, "wx", present?.mode);
    // The umask may have narrowed it.
    if (present) await file.chmod(present.mode);
    await pipeline(pieces, file.createWriteStream({ flush: true }), { signal });
    await rename(part, target.path);
  } catch (error) {
    await rm(part, { force: true });
    if (signal.aborted) throw error;
    throw explain(target.path, error);
  }
}

async function writeToStdout(stream: NodeJS.WritableStream, pieces: AsyncIterable<Uint8Array>, signal: AbortSignal) {
  try {
    await pipeline(pieces, stream, { signal, end: false });
  } catch (error) {
    if (signal.aborted) throw error;
    if (!(error instanceof NotNow)) throw explain("stdout", error);
    // Bytes written to stdout can't be revoked.
    const message = `${error.message}. The output on stdout is incomplete`;
    throw new CommandError(EXIT.unreachable, message, { cause: error });
  }
}

async function* piecesOf(response: Response): AsyncGenerator<Uint8Array> {
  const announced = response.headers.get("content-length");
  const endIsMarked = announced !== null || response.headers.get("transfer-encoding") === "chunked";
  if (!endIsMarked) throw new NotNow("broken", "The response doesn't say where the file ends");
  const body: AsyncIterable<Uint8Array> | [] = response.body ?? [];
  let length = 0;
  try {
    for await (const piece of body) {
      length += piece.length;
      yield piece;
    }
  } catch (error) {
    throw new NotNow("broken", "The download was interrupted", { cause: error });
  }
  if (announced !== null && length !== Number(announced)) {
    throw new NotNow("broken", `The download has ${length} bytes instead of ${announced}`);
  }
}

function refusal(name: string, reason: string, cause?: unknown): CommandError {
  return new CommandError(EXIT.refused, `Cannot write ${name}: ${reason}`, { cause });
}

const WRITE_FAILURES: Partial<Record<string, string>> = {
  ENOENT: "the folder doesn't exist",
  ENOTDIR: "the folder doesn't exist",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EPIPE: "the reader closed the pipe",
};

/** Converts an operating system error to a message. Other errors are unchanged. */
function explain(name: string, error: unknown): unknown {
  const code = systemCodeOf(error);
  if (code === null || error instanceof NotNow) return error;
  return refusal(name, WRITE_FAILURES[code] ?? code, error);
}
