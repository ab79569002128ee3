import { expect, test } from "vitest";
import { EmbeddedDatabaseError, explainFileError } from "./embedded-database-error.ts";

function failed(code: string): Error {
  return Object.assign(new Error(`${code}: something, mkdir '/data'`), { code });
}

test.each([
  ["ENOSPC", "disk_full"],
  ["EDQUOT", "disk_full"],
  ["EACCES", "no_rights"],
  ["EPERM", "no_rights"],
  ["EROFS", "no_rights"],
  ["ENOTDIR", "foreign_folder"],
])("%s on the data folder is %s, with the folder's name and the cause", (code, problem) => {
  const error = failed(code);
  const explained = explainFileError(error, "/data");
  expect(explained).toBeInstanceOf(EmbeddedDatabaseError);
  expect(explained).toMatchObject({ problem, cause: error, message: expect.stringContaining("/data") as string });
});

test("an unexpected error is returned unchanged", () => {
  const error = failed("EIO");
  expect(explainFileError(error, "/data")).toBe(error);
});
