import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

/*
 * Proves that each import rule fires, in a temporary project that breaks every rule. The static check "import rules"
 * covers the real project.
 */

const CONFIG = fileURLToPath(new URL("../.dependency-cruiser.mjs", import.meta.url));
const CRUISER = fileURLToPath(
  new URL("../node_modules/dependency-cruiser/bin/dependency-cruiser.mjs", import.meta.url),
);
const ROOMS = ["contract", "embedded-database", "server", "web", "simulator", "cli", "e2e", "bench"];
const PACKAGES = ["fastify", "papaparse", "pg-boss", "sharp", "undici", "zod"];

/** An import that breaks a rule; without `to`, a file that nothing imports. */
type Import = { rule: string; from: string; to?: string; type?: true };

const features = "server/src/features";

const BROKEN: Import[] = [
  { rule: "no-cycles", from: "web/src/table/one.ts", to: "web/src/table/one.ts" },
  { rule: "no-orphans", from: "web/src/ui/forgotten.ts" },
  { rule: "nothing-unresolved", from: "server/src/http/app.ts", to: "server/src/http/gone.ts" },
  { rule: "tests-stay-outside", from: "server/src/http/app.ts", to: "server/src/database/testing/test-database.ts" },
  { rule: "contract-depends-on-zod", from: "contract/src/api/cards.ts", to: "server/src/config.ts", type: true },
  { rule: "contract-imports-downward", from: "contract/src/api/cards.ts", to: "contract/src/sheet/row.ts", type: true },
  { rule: "embedded-database-stands-alone", from: "embedded-database/src/probe.ts", to: "server/src/config.ts" },
  { rule: "web-and-server-never-meet", from: "web/src/api/sessions.ts", to: "server/src/config.ts", type: true },
  { rule: "server-and-web-never-meet", from: "server/src/http/web-files.ts", to: "web/src/app/shell.tsx" },
  { rule: "cli-knows-the-contract", from: "cli/src/lookup.ts", to: "server/src/config.ts", type: true },
  { rule: "nobody-knows-the-cli", from: "server/src/http/app.ts", to: "cli/src/lookup.ts", type: true },
  { rule: "simulator-for-the-demo-only", from: "server/src/http/app.ts", to: "simulator/src/simulator.ts" },
  { rule: "simulator-stands-alone", from: "simulator/src/simulator.ts", to: "server/src/graders/psa/map.ts" },
  { rule: "root-is-not-imported", from: "server/src/http/app.ts", to: "server/src/app.ts" },
  {
    rule: "plugins-know-the-type-of-their-context",
    from: `${features}/runs/runs.plugin.ts`,
    to: "server/src/context.ts",
  },
  {
    rule: "only-the-root-knows-plugins",
    from: `${features}/runs/runs.plugin.ts`,
    to: `${features}/certs/certs.plugin.ts`,
    type: true,
  },
  {
    rule: "routes-call-their-service",
    from: `${features}/runs/runs.routes.ts`,
    to: `${features}/runs/runs.repo.ts`,
  },
  {
    rule: "routes-call-their-service",
    from: `${features}/runs/runs.routes.ts`,
    to: `${features}/runs/runs.jobs.ts`,
  },
  {
    rule: "routes-call-their-service",
    from: `${features}/runs/runs.routes.ts`,
    to: `${features}/users/users.service.ts`,
    type: true,
  },
  {
    rule: "features-meet-through-services",
    from: `${features}/runs/runs.service.ts`,
    to: `${features}/certs/certs.repo.ts`,
  },
  {
    rule: "features-meet-through-services",
    from: `${features}/runs/runs.jobs.ts`,
    to: `${features}/certs/certs.jobs.ts`,
    type: true,
  },
  {
    rule: "features-meet-through-services",
    from: `${features}/runs/runs.service.ts`,
    to: `${features}/certs/rules.ts`,
  },
  {
    rule: "lower-features-know-no-higher-ones",
    from: `${features}/sessions/sessions.service.ts`,
    to: `${features}/runs/runs.service.ts`,
    type: true,
  },
  {
    rule: "features-name-the-layer",
    from: `${features}/runs/runs.service.ts`,
    to: `${features}/runs/columns.ts`,
  },
  { rule: "no-cycles-of-features", from: `${features}/one/one.service.ts`, to: `${features}/two/two.service.ts` },
  { rule: "no-cycles-of-features", from: `${features}/two/three.service.ts`, to: `${features}/one/four.service.ts` },
  {
    rule: "repos-know-the-database-only",
    from: `${features}/runs/runs.repo.ts`,
    to: `${features}/runs/runs.service.ts`,
  },
  { rule: "repos-know-the-database-only", from: `${features}/runs/runs.repo.ts`, to: "server/src/jobs/jobs.ts" },
  {
    rule: "services-know-no-http",
    from: `${features}/runs/runs.service.ts`,
    to: `${features}/runs/runs.routes.ts`,
  },
  { rule: "services-know-no-http", from: `${features}/runs/runs.service.ts`, to: "fastify" },
  { rule: "rooms-below-know-no-features", from: "server/src/jobs/jobs.ts", to: `${features}/runs/runs.service.ts` },
  { rule: "graders-know-upstreams-and-contract", from: "server/src/graders/psa/api.ts", to: "server/src/http/app.ts" },
  {
    rule: "graders-know-upstreams-and-contract",
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
  { rule: "web-imports-point-down", from: "web/src/run/open-session.ts", to: "web/src/table/results.tsx" },
  { rule: "ui-knows-no-card", from: "web/src/ui/button.tsx", to: "contract/src/api/cards.ts", type: true },
  { rule: "papaparse-in-one-place", from: "web/src/features/scanner/step.tsx", to: "papaparse" },
  { rule: "pg-boss-in-one-place", from: `${features}/runs/runs.jobs.ts`, to: "pg-boss" },
  { rule: "sharp-in-one-place", from: `${features}/exports/exports.service.ts`, to: "sharp" },
  { rule: "undici-in-one-place", from: "server/src/graders/psa/api.ts", to: "undici" },
];

type Violation = { rule: { name: string }; from: string };

let folder: string;
let violations: Violation[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "slabdesk-house-"));
  build();
  violations = cruise();
});

afterAll(() => rmSync(folder, { recursive: true }));

function build(): void {
  for (const room of ROOMS) mkdirSync(join(folder, room), { recursive: true });
  for (const name of PACKAGES) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: "1.0.0", main: "main.js" }));
    write(`node_modules/${name}/main.js`, "module.exports = {};");
  }
  const targets = BROKEN.flatMap(({ to = "" }) => (isFile(to) && !to.endsWith("gone.ts") ? [to] : []));
  for (const file of [...BROKEN.map(({ from }) => from), ...targets]) {
    const imports = BROKEN.filter(({ from }) => from === file).map(({ to, type }, index) =>
      to ? `import ${type ? "type " : ""}{ name as name${index} } from "${specifierOf(file, to)}";` : "",
    );
    write(file, [...imports, "export const name = 1;"].join("\n"));
  }
}

function isFile(target: string): boolean {
  return /\.tsx?$/.test(target);
}

function specifierOf(file: string, target: string): string {
  return isFile(target) ? `./${relative(dirname(file), target)}` : target;
}

function write(path: string, content: string): void {
  mkdirSync(join(folder, dirname(path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

function cruise(): Violation[] {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [CRUISER, "--config", CONFIG, "--output-type", "json", ...ROOMS],
    { cwd: folder, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );
  if (!stdout) throw new Error(stderr);
  return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations;
}

test.each(BROKEN)("$rule reports $from → $to", ({ rule, from }) => {
  // A rule about folders names the folder.
  const names = [from, dirname(from)];
  expect(violations.filter((one) => one.rule.name === rule && names.includes(one.from))).not.toEqual([]);
});

test("every rule is an error and has a case above", async () => {
  const { default: config } = (await import(CONFIG)) as {
    default: { forbidden: { name: string; severity: string }[] };
  };
  const proved = new Set(BROKEN.map(({ rule }) => rule));
  expect(config.forbidden.filter(({ name, severity }) => !proved.has(name) || severity !== "error")).toEqual([]);
});
