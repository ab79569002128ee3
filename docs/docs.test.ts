import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ERROR_CODES } from "@slabdesk/contract/api/errors.ts";
import { outcomeCodeSchema, OUTCOMES } from "@slabdesk/contract/api/outcomes.ts";
import { parseConfig } from "../server/src/config.ts";
import { HOUSE, namesUnder, plain, readHouseFile, readTableRows } from "./markdown-tables.ts";

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].toSorted();

/** Folders that git does not keep. */
const NOT_OURS = new Set(["node_modules", "dist", "data", "coverage"]);

function foldersIn(path: string): string[] {
  return readdirSync(`${HOUSE}${path}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !NOT_OURS.has(entry.name))
    .map((entry) => join(path, entry.name));
}

function filesUnder(path: string): string[] {
  return readdirSync(`${HOUSE}${path}`, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.includes("node_modules"))
    .map((name) => readHouseFile(join(path, name)));
}

describe("docs/settings.md", () => {
  const rows = readTableRows(readHouseFile("docs/settings.md"));
  const documented = new Map(rows.map(({ cells }) => [plain(cells[0] ?? ""), cells]));
  const source = readHouseFile("server/src/config.ts");
  const schema = source.slice(source.indexOf("const settings = z.object({"));
  const names = [...schema.slice(0, schema.indexOf("\n});")).matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].flatMap(
    (match) => match[1] ?? [],
  );

  it("lists exactly the existing settings", () => {
    expect(names.length).toBeGreaterThan(20);
    expect(sorted(documented.keys())).toEqual(sorted(names));
  });

  it.each(names)("gives the default and the meaning of %s", (name) => {
    const [, standard = "", meaning = ""] = documented.get(name) ?? [];
    const value = Object.entries(parseConfig({})).find(([key]) => key === name)?.[1];
    if (typeof value === "string" || typeof value === "number") expect(plain(standard)).toBe(String(value));
    else expect(standard).not.toBe("");
    expect(meaning.length).toBeGreaterThan(10);
  });
});

describe("docs/errors.md", () => {
  const text = readHouseFile("docs/errors.md");
  const rows = readTableRows(text).filter((row) => row.heading === "Error codes");
  const statusesOf = (code: string): string[] =>
    rows.find(({ cells }) => plain(cells[0] ?? "") === code)?.cells[1]?.split(", ") ?? [];

  it("explains exactly the existing error codes", () => {
    expect(sorted(namesUnder(text, "Error codes"))).toEqual(sorted(ERROR_CODES));
    for (const { cells } of rows) expect(cells.filter((cell) => cell.length > 2)).toHaveLength(4);
  });

  it("gives the HTTP status of every lookup outcome", () => {
    for (const code of outcomeCodeSchema.options.filter((option) => option !== "found"))
      expect(statusesOf(code)).toContain(String(OUTCOMES[code].status));
  });

  it("gives every HTTP status that the server sends with a code", () => {
    const sent = filesUnder("server/src").flatMap((file) => [...file.matchAll(/HttpError\(\s*(\d{3}),\s*"(\w+)"/g)]);
    expect(sent.length).toBeGreaterThan(10);
    for (const [, status = "", code = ""] of sent)
      expect(statusesOf(code), `${code} is sent with ${status}`).toContain(status);
  });

  it("explains exactly the existing start-up problems", () => {
    const source = readHouseFile("embedded-database/src/embedded-database-error.ts");
    const union = source.slice(
      source.indexOf("export type EmbeddedDatabaseProblem"),
      source.indexOf(";", source.indexOf("export type EmbeddedDatabaseProblem")),
    );
    const problems = [...union.matchAll(/"(\w+)"/g)].flatMap((match) => match[1] ?? []);
    expect(problems.length).toBeGreaterThan(3);
    expect(sorted(namesUnder(text, "Problems at start-up"))).toEqual(sorted(problems));
  });
});

describe("docs/dependencies.md", () => {
  it("has a line for exactly the dependencies of every package.json", () => {
    const folders = ["", ...foldersIn("")].filter((folder) => existsSync(join(HOUSE, folder, "package.json")));
    expect(folders.length).toBeGreaterThan(4);
    const used = folders.flatMap((folder) => dependenciesOf(join(folder, "package.json")));
    const rows = readTableRows(readHouseFile("docs/dependencies.md"));
    expect(sorted(rows.map(({ cells }) => plain(cells[0] ?? "")))).toEqual(sorted(used));
    for (const { cells } of rows)
      expect(
        cells.filter((cell) => cell.length > 3),
        cells[0],
      ).toHaveLength(3);
  });
});

function dependenciesOf(path: string): string[] {
  const manifest = JSON.parse(readHouseFile(path)) as Partial<Record<string, Record<string, string>>>;
  return ["dependencies", "devDependencies", "optionalDependencies"]
    .flatMap((kind) => Object.keys(manifest[kind] ?? {}))
    .filter((name) => !name.startsWith("@slabdesk/"));
}

describe("docs/architecture.md", () => {
  it("lists exactly the product's folders, except testing and public, and one folder for each tool", () => {
    const tops = foldersIn("");
    const product = tops.filter((top) => !["simulator", "e2e", "bench"].includes(top));
    const isUnlisted = (folder: string): boolean => /\/(?:src|testing|public)$/.test(folder);
    const rooms = product.flatMap((top) => foldersIn(top).filter((folder) => !isUnlisted(folder)));
    const inSource = product
      .flatMap((top) => (existsSync(`${HOUSE}${top}/src`) ? foldersIn(`${top}/src`) : []))
      .filter((folder) => !isUnlisted(folder));
    const features = inSource.filter((folder) => folder.endsWith("/features")).flatMap(foldersIn);
    const named = namesUnder(readHouseFile("docs/architecture.md"), "The folders").map((name) =>
      name.replace(/\/$/, ""),
    );
    expect(sorted(named)).toEqual(sorted([...tops, ...rooms, ...inSource, ...features]));
  });
});

describe("links between the documents", () => {
  const documents = [
    "README.md",
    ...readdirSync(`${HOUSE}docs`, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${name}`),
  ];

  it.each(documents)("%s links only to files that exist", (document) => {
    const links = [...readHouseFile(document).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].flatMap(
      (match) => match[1] ?? [],
    );
    expect(links.filter((link) => !existsSync(join(HOUSE, document, "..", link)))).toEqual([]);
  });
});

describe("the server's defaults", () => {
  it("match the specified limits", () => {
    expect(parseConfig({})).toMatchObject({
      CARD_DELAY_MS: 5000,
      PRICING_DELAY_MS: 2500,
      REQUEST_TIMEOUT_MS: 30_000,
      PSA_DAILY_QUOTA: 2500,
    });
  });
});

describe("docs/decisions", () => {
  const records = readdirSync(`${HOUSE}docs/decisions`).filter((name) => name.endsWith(".md"));

  it.each(records)("%s has its number, a status, and a date", (name) => {
    expect(readHouseFile(`docs/decisions/${name}`)).toMatch(
      new RegExp(
        `^# ${name.slice(0, 4)} [^\\n]+\\n\\n- Status: (?:accepted|superseded by \\[\\d{4}\\])[^\\n]*\\n- Date: \\d{4}-\\d{2}-\\d{2}\\n`,
      ),
    );
  });
});
