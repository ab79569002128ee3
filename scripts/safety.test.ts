import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

/* Rules about source text that no linter has. Each has an example that breaks it. */

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SKIPPED = new Set([
  "node_modules",
  "dist",
  ".dist-new",
  "data",
  ".git",
  ".results",
  "coverage",
  "fixtures",
  "recorded",
]);
const TEXT = /\.(?:[cm]?[jt]sx?|json|md|html|css)$|(?:^|\/)run$/;
const THIS_FILE = "scripts/safety.test.ts";

type Rule = { rule: string; files: RegExp; except?: RegExp; never: RegExp; example: string };

const CODE = /^(?:contract|embedded-database|server|web|simulator|cli|e2e|bench|scripts|docs)\/.*\.(?:m?js|tsx?)$/;
const PRODUCT = /^(?:contract|embedded-database|server|web|simulator|cli)\/src\/.*\.tsx?$/;

const RULES: Rule[] = [
  {
    rule: "only the composition root reads the environment",
    files: PRODUCT,
    except: /^(?:server|cli)\/src\/main\.ts$|\.test\.tsx?$|\/testing\//,
    never: /\bprocess\.env\b/,
    example: "const port = process.env.PORT;",
  },
  {
    rule: "nobody is interrupted by the browser's own dialogs",
    files: /^web\/src\//,
    never: /\b(?:window|globalThis)\.(?:alert|confirm|prompt)\(|(?<![.\w])(?:alert|confirm|prompt)\(/,
    example: "if (confirm('Sure?')) clear();",
  },
  {
    rule: "the product has a logger and a screen, no console",
    files: PRODUCT,
    except: /^web\/src\/api\/quiet-log\.ts$|\.test\.tsx?$|\/testing\//,
    never: /\bconsole\.\w+\(/,
    example: "console.log(row);",
  },
  {
    rule: "no test is left out without a condition and a reason, or alone",
    files: /\.(?:test|spec)\.tsx?$|^e2e\//,
    never: /\b(?:test|it|describe)(?:\.\w+)*\.(?:only|skip(?!\(!\w+, ")|todo|fixme|fails)\b|\bx(?:it|describe|test)\(/,
    example: "test.skip('later', () => {});",
  },
  {
    rule: "our own modules are not mocked",
    files: /\.(?:test|spec)\.tsx?$/,
    never: /\bvi\.(?:do)?[mM]ock\(/,
    example: "vi.mock('./scans.repo.ts');",
  },
  {
    rule: "checks are obeyed, not silenced",
    files: CODE,
    never: /(?:eslint|oxlint|oxfmt)-(?:disable|ignore)|@ts-(?:ignore|nocheck|expect-error)|prettier-ignore/,
    example: "// @ts-ignore",
  },
  {
    rule: "no left-over notes",
    files: CODE,
    never: /\b(?:TODO|FIXME|XXX|HACK)\b/,
    example: "// TODO: later",
  },
  {
    rule: "no paths of somebody's machine",
    files: /./,
    never: /(?<![\w.~])\/(?:home|Users|work|root)\/\w/,
    example: "See /home/somebody/notes.md",
  },
];

function listFiles(folder = ""): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : listFiles(path);
    return entry.isFile() && TEXT.test(path) ? [path] : [];
  });
}

const files = listFiles().filter((path) => path !== THIS_FILE && path !== "package-lock.json");

describe.each(RULES)("$rule", ({ files: where, except, never, example }) => {
  test("holds in every file", () => {
    const found = files
      .filter((path) => where.test(path) && !except?.test(path))
      .flatMap((path) =>
        readFileSync(join(ROOT, path), "utf8")
          .split("\n")
          .map((line, index) => ({ at: `${path}:${index + 1}`, line })),
      )
      .filter(({ line }) => never.test(line));
    expect(found).toEqual([]);
  });

  test("is reported where it is broken", () => {
    expect(example).toMatch(never);
  });
});

test("no file has a meaningless name", () => {
  const empty = /^(?:utils?|helpers?|misc|common|types|index|shared|stuff)\.[^/]*$/;
  expect("utils.ts").toMatch(empty);
  expect(files.filter((path) => CODE.test(path) && empty.test(basename(path)))).toEqual([]);
});

type Lock = { packages: Record<string, { optionalDependencies?: Record<string, string> }> };

test("the lockfile names the packages of every platform, as npm ci requires", () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as Lock;
  const missing = Object.entries(packages).flatMap(([from, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isNamed(packages, from, name)),
  );
  expect(missing).toEqual([]);
});

/** Resolves like Node: inside the package, then in each parent folder. */
function isNamed(packages: Lock["packages"], from: string, name: string): boolean {
  const inside = `${from ? `${from}/` : ""}node_modules/${name}`;
  return (
    inside in packages ||
    (from !== "" && isNamed(packages, from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/"))), name))
  );
}

test("no dependency runs install scripts", () => {
  expect(readFileSync(join(ROOT, ".npmrc"), "utf8")).toMatch(/^ignore-scripts=true$/m);
});

test("containers have a read-only root, no more rights and memory than they need, and only their own secrets", () => {
  const compose = readFileSync(join(ROOT, "compose.yaml"), "utf8");
  const parts = compose.replace("services:\n", "").split("\n\n");
  const partOf = (name: string): string => parts.find((part) => part.trim().startsWith(`${name}:`)) ?? "";
  expect(partOf("x-confined")).toMatch(/read_only: true\n.*cap_drop: \[ALL\]\n.*no-new-privileges:true/);
  for (const name of ["x-node", "database", "proxy"]) expect(partOf(name)).toMatch(/<<: \*confined\n[^]*mem_limit: \d/);
  for (const name of ["node-1", "node-2"]) expect(partOf(name).trim()).toBe(`${name}: *node`);
  for (const name of ["database", "proxy"]) expect(partOf(name)).not.toContain("env_file");
  expect(partOf("proxy")).not.toContain("PASSWORD");
});

type Manifest = Partial<Record<"dependencies" | "devDependencies" | "optionalDependencies", Record<string, string>>>;

test("every dependency has an exact version", () => {
  const manifests = files.filter((path) => /^(?:[\w-]+\/)?package\.json$/.test(path));
  const loose = manifests.flatMap((path) => {
    const manifest = JSON.parse(readFileSync(join(ROOT, path), "utf8")) as Manifest;
    return Object.entries({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies })
      .filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
      .map(([name]) => `${path}: ${name}`);
  });
  expect(loose).toEqual([]);
});
