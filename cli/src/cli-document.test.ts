import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EXPORT_FORMATS } from "@slabdesk/contract/api/sessions.ts";
import { MODES } from "@slabdesk/contract/api/cards.ts";
import cliPackage from "../package.json" with { type: "json" };
import rootPackage from "../../package.json" with { type: "json" };
import { DEFAULT_SERVER, HELP } from "./arguments.ts";
import { EXIT } from "./command-error.ts";

const DOCUMENT = readFileSync(new URL("../../docs/cli.md", import.meta.url), "utf8");

/** The first column of the table under a heading. */
function firstCells(heading: string): string[] {
  const section = DOCUMENT.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return [...section.matchAll(/^\| (.+?) \|/gm)].flatMap((match) => match[1] ?? []).slice(2);
}

test("docs/cli.md explains every exit code and no others", () => {
  expect(firstCells("Exit codes")).toEqual(Object.values(EXIT).map(String));
});

test("docs/cli.md and the help list the same options", () => {
  const named = (text: string): string[] => [...new Set(text.match(/(?<=[\s`])--[a-z-]+/g))].toSorted();
  const documented = firstCells("Options").join(" ");
  expect(named(HELP)).toEqual(named(documented));
  for (const value of [...EXPORT_FORMATS, ...MODES, DEFAULT_SERVER]) expect(DOCUMENT).toContain(`\`${value}\``);
});

test("npx finds the command in the clone, whether or not it is installed", () => {
  expect(rootPackage.bin.slabdesk).toBe(`cli/${cliPackage.bin.slabdesk}`);
  expect(rootPackage.name).toBe("slabdesk");
});
