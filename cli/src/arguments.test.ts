import { describe, expect, test } from "vitest";
import { EXPORT_FORMATS } from "@slabdesk/contract/api/sessions.ts";
import { HELP, parseCommand } from "./arguments.ts";
import { CommandError } from "./command-error.ts";

const TOKEN = { SLABDESK_TOKEN: "a-token" };
const read = (line: string, environment = {}) => parseCommand(line.split(" "), { ...TOKEN, ...environment });

function refusalOf(line: string, environment = {}): { exitCode: number; message: string } {
  try {
    read(line, environment);
  } catch (error) {
    if (error instanceof CommandError) return { exitCode: error.exitCode, message: error.message };
    throw error;
  }
  throw new Error(`"${line}" was accepted`);
}

test("defaults to the browser's options and writes the result to stdout", () => {
  expect(read("lookup certs.csv")).toEqual({
    kind: "lookup",
    options: {
      server: new URL("http://127.0.0.1:4600/"),
      token: "a-token",
      tokenOnCommandLine: false,
      output: null,
      format: "csv",
      source: {
        kind: "sheet",
        path: "certs.csv",
        again: false,
        run: {
          mode: "api-with-fallback",
          includePricing: false,
          reuseKnown: true,
          acceptCompanies: false,
          sessionName: null,
        },
      },
    },
  });
});

test("parses every option", () => {
  const line =
    "lookup - -o out.csv --format ebay --server https://cards.example/desk --token other --mode scraping --pricing --fresh --accept-companies --name Box --again";
  expect(read(line)).toEqual({
    kind: "lookup",
    options: {
      server: new URL("https://cards.example/desk/"),
      token: "other",
      tokenOnCommandLine: true,
      output: "out.csv",
      format: "ebay",
      source: {
        kind: "sheet",
        path: "-",
        again: true,
        run: { mode: "scraping", includePricing: true, reuseKnown: false, acceptCompanies: true, sessionName: "Box" },
      },
    },
  });
});

test.each([
  ["-o out.csv", "csv"],
  ["-o out.txt", "csv"],
  ["-o Out.XLSX", "xlsx"],
  ["-o out.json", "json"],
  ["-o images.zip", "images.zip"],
  ["-o out.xlsx --format original", "original"],
  ["-o -", "csv"],
])("writes %s as %s", (output, format) => {
  expect(read(`lookup certs.csv ${output}`)).toMatchObject({ options: { format } });
});

test.each(EXPORT_FORMATS)("accepts --format %s and lists it in the help", (format) => {
  expect(read(`lookup certs.csv --format ${format}`)).toMatchObject({ options: { format } });
  expect(HELP).toContain(format);
});

test("--session continues a run", () => {
  expect(read("lookup --session 12-ab")).toMatchObject({ options: { source: { kind: "session", id: "12-ab" } } });
});

test.each([
  ["--help", "help"],
  ["lookup -h", "help"],
  ["--version", "version"],
])("%s needs no token", (line, kind) => {
  expect(read(line, { SLABDESK_TOKEN: "" })).toEqual({ kind });
});

describe("wrong usage is refused", () => {
  test.each([
    ["find certs.csv", 'Unknown command "find"'],
    ["lookup", "Missing sheet"],
    ["lookup a.csv b.csv", 'Remove "b.csv"'],
    ["lookup a.csv --fast", "Unknown option '--fast'"],
    ["lookup a.csv --format pdf", "--format must be one of: csv, session-csv"],
    ["lookup a.csv --mode quick", "--mode must be one of: api-with-fallback"],
    ["lookup a.csv --output=", "-o needs a file name"],
    ["lookup a.csv --server cards.example", '"cards.example" is not a server address'],
    ["lookup a.csv --server ftp://cards.example", "is not a server address"],
    ["lookup a.csv --server http://ana:secret@cards.example", "can't contain a user name or password"],
    ["lookup a.csv --session 12", "--session continues a run"],
    ["lookup --session 12 --fresh", "--session continues a run"],
    ["lookup --session=", "--session needs a session id"],
  ])("%s", (line, message) => {
    const refusal = refusalOf(line);
    expect([refusal.exitCode, refusal.message]).toEqual([2, expect.stringContaining(message)]);
    expect(refusal.message).not.toContain("secret");
  });
});

test.each([
  ["none", "", "No token. Set SLABDESK_TOKEN"],
  ["one with a line end in it", "half\nother-half", "The token contains spaces"],
  ["one in letters that no header takes", "half-pokémon", "The token contains spaces"],
])("requires a token and never shows it: %s", (_case, token, message) => {
  const refusal = refusalOf("lookup certs.csv", { SLABDESK_TOKEN: token });
  expect([refusal.exitCode, refusal.message]).toEqual([3, expect.stringContaining(message)]);
  expect(refusal.message).not.toContain("half");
});
