import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/*
 * Proves of each import rule that it fires: a house in a temporary folder where every rule is broken once, and one in
 * which none is. That the real house keeps them is the static check "import rules".
 */

const CONFIG = fileURLToPath(new URL("../.dependency-cruiser.mjs", import.meta.url));
const CRUISER = fileURLToPath(
  new URL("../node_modules/dependency-cruiser/bin/dependency-cruiser.mjs", import.meta.url),
);
const ROOMS = ["contract", "server", "web", "simulator", "cli", "e2e", "bench"];
const PACKAGES = ["@tanstack/react-query", "fastify", "papaparse", "pg-boss", "react", "sharp", "undici", "zod"];

/** A type-only import is written with `type` in front. */
type Import = { rule: string; from: string; to: string; type?: true };

const features = "server/src/features";

const BROKEN: Import[] = [
  { rule: "no-cycles", from: "web/src/table/one.ts", to: "web/src/table/two.ts" },
  { rule: "no-cycles", from: "server/src/upstreams/one.ts", to: "server/src/upstreams/two.ts", type: true },
  { rule: "nothing-unresolved", from: "server/src/http/app.ts", to: "server/src/http/gone.ts" },
  { rule: "tests-stay-outside", from: "server/src/http/app.ts", to: "server/src/http/app.test.ts" },
  { rule: "tests-stay-outside", from: "server/src/http/app.ts", to: "server/src/database/testing/test-database.ts" },
  { rule: "tests-stay-outside", from: "web/src/app/shell.tsx", to: "e2e/journey.ts" },
  { rule: "tests-stay-outside", from: "server/src/http/app.ts", to: "bench/figures.ts" },
  { rule: "contract-depends-on-zod", from: "contract/src/api/cards.ts", to: "react" },
  { rule: "contract-depends-on-zod", from: "contract/src/api/cards.ts", to: "node:fs" },
  { rule: "contract-depends-on-zod", from: "contract/src/api/cards.ts", to: "server/src/config.ts", type: true },
  { rule: "contract-imports-downward", from: "contract/src/certs/grade.ts", to: "contract/src/api/cards.ts" },
  { rule: "contract-imports-downward", from: "contract/src/api/cards.ts", to: "contract/src/sheet/row.ts", type: true },
  { rule: "contract-imports-downward", from: "contract/src/sheet/row.ts", to: "contract/src/review/reasons.ts" },
  { rule: "web-and-server-never-meet", from: "web/src/api/client.ts", to: "server/src/config.ts", type: true },
  { rule: "server-and-web-never-meet", from: "server/src/http/web-files.ts", to: "web/src/app/shell.tsx" },
  { rule: "cli-knows-the-contract", from: "cli/src/lookup.ts", to: "server/src/config.ts", type: true },
  { rule: "cli-knows-the-contract", from: "cli/src/lookup.ts", to: "web/src/api/client.ts" },
  { rule: "cli-knows-the-contract", from: "cli/src/lookup.ts", to: "simulator/src/simulator.ts" },
  { rule: "nobody-knows-the-cli", from: "server/src/http/app.ts", to: "cli/src/lookup.ts", type: true },
  { rule: "simulator-for-the-demo-only", from: "server/src/http/app.ts", to: "simulator/src/simulator.ts" },
  { rule: "simulator-for-the-demo-only", from: "web/src/api/client.ts", to: "simulator/src/simulator.ts" },
  { rule: "simulator-stands-alone", from: "simulator/src/simulator.ts", to: "server/src/graders/psa/map.ts" },
  { rule: "root-is-not-imported", from: "server/src/http/app.ts", to: "server/src/compose.ts" },
  {
    rule: "only-the-root-constructs",
    from: `${features}/scans/scans.service.ts`,
    to: `${features}/certs/certs.service.ts`,
  },
  {
    rule: "routes-call-their-service",
    from: `${features}/scans/scans.routes.ts`,
    to: `${features}/scans/scans.repo.ts`,
  },
  {
    rule: "routes-call-their-service",
    from: `${features}/scans/scans.routes.ts`,
    to: `${features}/scans/scans.jobs.ts`,
  },
  {
    rule: "routes-call-their-service",
    from: `${features}/scans/scans.routes.ts`,
    to: `${features}/users/users.service.ts`,
    type: true,
  },
  {
    rule: "features-meet-through-services",
    from: `${features}/scans/scans.service.ts`,
    to: `${features}/certs/certs.repo.ts`,
  },
  {
    rule: "features-meet-through-services",
    from: `${features}/scans/scans.jobs.ts`,
    to: `${features}/certs/certs.jobs.ts`,
    type: true,
  },
  {
    rule: "features-meet-through-services",
    from: `${features}/scans/scans.service.ts`,
    to: `${features}/certs/rules.ts`,
  },
  {
    rule: "repos-know-the-database-only",
    from: `${features}/scans/scans.repo.ts`,
    to: `${features}/scans/scans.service.ts`,
  },
  { rule: "repos-know-the-database-only", from: `${features}/scans/scans.repo.ts`, to: "server/src/jobs/jobs.ts" },
  {
    rule: "services-know-no-http",
    from: `${features}/scans/scans.service.ts`,
    to: `${features}/scans/scans.routes.ts`,
  },
  { rule: "services-know-no-http", from: `${features}/scans/scans.service.ts`, to: "fastify" },
  { rule: "rooms-below-know-no-features", from: "server/src/jobs/jobs.ts", to: `${features}/scans/scans.service.ts` },
  {
    rule: "rooms-below-know-no-features",
    from: "server/src/upstreams/one.ts",
    to: `${features}/scans/scans.service.ts`,
  },
  { rule: "graders-know-lanes-and-contract", from: "server/src/graders/psa/api.ts", to: "server/src/http/app.ts" },
  {
    rule: "graders-know-lanes-and-contract",
    from: "server/src/price-sources/cardsiq/api.ts",
    to: "server/src/database/connection.ts",
  },
  { rule: "graders-see-settings-as-a-type", from: "server/src/graders/psa/api.ts", to: "server/src/config.ts" },
  { rule: "graders-never-meet", from: "server/src/graders/psa/api.ts", to: "server/src/graders/cgc/api.ts" },
  { rule: "graders-never-meet", from: "server/src/graders/psa/api.ts", to: "server/src/price-sources/cardsiq/api.ts" },
  {
    rule: "web-features-never-meet",
    from: "web/src/features/scanner/step.tsx",
    to: "web/src/features/dashboard/list.tsx",
  },
  { rule: "web-features-below-the-shell", from: "web/src/table/results.tsx", to: "web/src/features/scanner/step.tsx" },
  {
    rule: "web-features-below-the-shell",
    from: "web/src/session/follow.ts",
    to: "web/src/features/scanner/step.tsx",
  },
  { rule: "table-knows-no-session", from: "web/src/table/results.tsx", to: "web/src/session/follow.ts" },
  { rule: "ui-knows-no-card", from: "web/src/ui/button.tsx", to: "@tanstack/react-query" },
  { rule: "ui-knows-no-card", from: "web/src/ui/button.tsx", to: "contract/src/api/cards.ts", type: true },
  { rule: "papaparse-behind-one-endpoint", from: "contract/src/api/cards.ts", to: "papaparse" },
  { rule: "papaparse-behind-one-endpoint", from: "web/src/features/scanner/step.tsx", to: "papaparse" },
  { rule: "pg-boss-behind-one-endpoint", from: `${features}/scans/scans.jobs.ts`, to: "pg-boss" },
  { rule: "sharp-behind-one-endpoint", from: `${features}/exports/exports.service.ts`, to: "sharp" },
  { rule: "undici-behind-one-endpoint", from: "server/src/graders/psa/api.ts", to: "undici" },
];

const ALLOWED: Omit<Import, "rule">[] = [
  { from: "contract/src/api/cards.ts", to: "zod" },
  { from: "contract/src/review/reasons.ts", to: "contract/src/api/cards.ts" },
  { from: "contract/src/sheet/csv.test.ts", to: "papaparse" },
  { from: "server/src/main.ts", to: "server/src/compose.ts" },
  { from: "server/src/main.ts", to: "simulator/src/simulator.ts" },
  { from: "server/src/compose.ts", to: `${features}/scans/scans.routes.ts` },
  { from: `${features}/scans/scans.routes.ts`, to: `${features}/scans/scans.service.ts` },
  { from: `${features}/scans/scans.service.ts`, to: `${features}/scans/scans.repo.ts` },
  { from: `${features}/scans/scans.service.ts`, to: `${features}/certs/certs.service.ts`, type: true },
  { from: `${features}/scans/scans.repo.ts`, to: "contract/src/api/cards.ts" },
  { from: `${features}/images/images.service.ts`, to: "sharp" },
  { from: "server/src/jobs/jobs.ts", to: "pg-boss" },
  { from: "server/src/upstreams/one.ts", to: "undici" },
  { from: "server/src/graders/psa/api.ts", to: "server/src/upstreams/one.ts" },
  { from: "server/src/graders/psa/api.ts", to: "server/src/graders/outcome.ts" },
  { from: "server/src/graders/psa/api.ts", to: "server/src/config.ts", type: true },
  { from: "server/src/http/app.test.ts", to: "simulator/src/simulator.ts" },
  { from: "cli/src/lookup.ts", to: "contract/src/api/cards.ts" },
  { from: "cli/src/lookup.test.ts", to: "server/src/testing/scan-test.ts" },
  { from: "bench/main.ts", to: "server/src/database/connection.ts" },
  { from: "web/src/app/shell.tsx", to: "web/src/features/scanner/step.tsx" },
  { from: "web/src/features/scanner/step.tsx", to: "web/src/ui/button.tsx" },
  { from: "web/src/features/scanner/step.tsx", to: "contract/src/api/cards.ts" },
];

type Violation = { rule: { name: string }; from: string; to: string };

const folders: string[] = [];

function build(imports: Omit<Import, "rule">[], extra: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "slabdesk-house-"));
  folders.push(folder);
  const sources = new Map<string, string[]>(Object.entries(extra).map(([path, source]) => [path, [source]]));
  for (const { from, to, type } of imports) {
    if (isFile(to) && !to.endsWith("gone.ts")) sources.set(to, sources.get(to) ?? []);
    const lines = sources.get(from) ?? [];
    sources.set(from, [
      ...lines,
      `import ${type ? "type " : ""}{ name as name${lines.length} } from "${isFile(to) ? `#/${to}` : to}";`,
    ]);
  }
  for (const room of ROOMS) mkdirSync(join(folder, room), { recursive: true });
  for (const [path, lines] of sources)
    write(folder, path, [...lines.map((line) => relativize(line, path)), "export const name = 1;"].join("\n"));
  for (const name of PACKAGES) {
    write(folder, `node_modules/${name}/package.json`, JSON.stringify({ name, version: "1.0.0", main: "main.js" }));
    write(folder, `node_modules/${name}/main.js`, "module.exports = {};");
  }
  return folder;
}

function isFile(specifier: string): boolean {
  return /\.tsx?$/.test(specifier);
}

function relativize(line: string, path: string): string {
  return line.replace('"#/', `"./${"../".repeat(path.split("/").length - 1)}`);
}

function write(folder: string, path: string, content: string): void {
  mkdirSync(join(folder, dirname(path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

function cruise(folder: string): Violation[] {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [CRUISER, "--config", CONFIG, "--output-type", "json", ...ROOMS],
    {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  if (!stdout) throw new Error(stderr);
  return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations;
}

let broken: Violation[];

beforeAll(() => {
  const backwards: Import[] = [
    { rule: "no-cycles", from: "web/src/table/two.ts", to: "web/src/table/one.ts" },
    { rule: "no-cycles", from: "server/src/upstreams/two.ts", to: "server/src/upstreams/one.ts", type: true },
  ];
  broken = cruise(build([...BROKEN, ...backwards], { "web/src/ui/forgotten.ts": "" }));
});

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function target(to: string): string {
  if (to.endsWith("gone.ts")) return "../http/gone.ts";
  if (to.startsWith("node:")) return to.slice("node:".length);
  return isFile(to) ? to : `node_modules/${to}/main.js`;
}

describe("an import that breaks a rule is found", () => {
  test.each(BROKEN.filter(({ rule }) => rule !== "nothing-unresolved"))("$rule: $from → $to", ({ rule, from, to }) => {
    expect(broken.filter((one) => one.rule.name === rule).map((one) => [one.from, one.to])).toContainEqual([
      from,
      target(to),
    ]);
  });

  test("nothing-unresolved: an import of a file that is not there", () => {
    expect(broken.filter((one) => one.rule.name === "nothing-unresolved").map((one) => one.from)).toEqual([
      "server/src/http/app.ts",
    ]);
  });

  test("no-orphans: a file that nobody knows", () => {
    expect(broken.filter((one) => one.rule.name === "no-orphans").map((one) => one.from)).toEqual([
      "web/src/ui/forgotten.ts",
    ]);
  });
});

test("every rule is proved above", async () => {
  const { default: config } = (await import(CONFIG)) as {
    default: { forbidden: { name: string; severity: string }[] };
  };
  const proved = new Set([...BROKEN.map(({ rule }) => rule), "no-orphans"]);
  expect(config.forbidden.map(({ name }) => name).filter((name) => !proved.has(name))).toEqual([]);
  expect(config.forbidden.filter(({ severity }) => severity !== "error")).toEqual([]);
});

test("a house that keeps the rules passes", () => {
  expect(cruise(build(ALLOWED)).map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual([]);
});
