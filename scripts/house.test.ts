import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/* The static check "import rules" covers the real project. This is its canary: a project that breaks every rule once. */

const CONFIG = fileURLToPath(new URL("../.dependency-cruiser.mjs", import.meta.url));
const CRUISER = fileURLToPath(
  new URL("../node_modules/dependency-cruiser/bin/dependency-cruiser.mjs", import.meta.url),
);
const ROOMS = ["contract", "embedded-database", "server", "web", "simulator", "cli"];

/** By rule: the importing file, and what it imports as a type; `=` imports a value. */
const BROKEN: Record<string, string | string[]> = {
  "no-cycles": "web/src/table/one.ts = web/src/table/one.ts",
  "no-orphans": "web/src/ui/forgotten.ts",
  "nothing-unresolved": "server/src/http/app.ts web/src/gone.ts",
  "tests-stay-outside": "server/src/http/app.ts server/src/database/testing/test-database.ts",
  "contract-depends-on-zod": "contract/src/api/cards.ts server/src/config.ts",
  "contract-imports-downward": "contract/src/api/cards.ts contract/src/sheet/row.ts",
  "embedded-database-stands-alone": "embedded-database/src/probe.ts server/src/config.ts",
  "web-and-server-never-meet": "web/src/api/sessions.ts server/src/config.ts",
  "server-and-web-never-meet": "server/src/http/app.ts web/src/app/shell.tsx",
  "cli-knows-the-contract": "cli/src/lookup.ts server/src/config.ts",
  "nobody-knows-the-cli": "server/src/http/app.ts cli/src/lookup.ts",
  "simulator-for-the-demo-only": "server/src/http/app.ts simulator/src/simulator.ts",
  "simulator-stands-alone": "simulator/src/simulator.ts server/src/graders/psa/map.ts",
  "root-is-not-imported": "server/src/http/app.ts server/src/app.ts",
  "features-know-the-type-of-their-context": "server/src/features/runs/runs.plugin.ts = server/src/context.ts",
  "only-the-root-knows-plugins": "server/src/features/runs/runs.plugin.ts server/src/features/certs/certs.plugin.ts",
  "routes-call-their-service": "server/src/features/runs/runs.routes.ts server/src/features/runs/runs.repo.ts",
  "features-meet-through-services": "server/src/features/runs/runs.service.ts server/src/features/certs/certs.repo.ts",
  "lower-features-know-no-higher-ones":
    "server/src/features/sessions/sessions.service.ts server/src/features/runs/runs.service.ts",
  "features-name-the-layer": "server/src/features/runs/runs.service.ts server/src/features/runs/columns.ts",
  "no-cycles-of-features": [
    "server/src/features/one/one.service.ts = server/src/features/two/two.service.ts",
    "server/src/features/two/three.service.ts = server/src/features/one/four.service.ts",
  ],
  "no-cycles-of-table": [
    "web/src/table/grid/one.ts = web/src/table/filter/two.ts",
    "web/src/table/filter/three.ts = web/src/table/grid/four.ts",
  ],
  "no-cycles-of-simulator": [
    "simulator/src/psa/one.ts = simulator/src/made-up/two.ts",
    "simulator/src/made-up/three.ts = simulator/src/psa/four.ts",
  ],
  "repos-know-the-database-only": "server/src/features/runs/runs.repo.ts = server/src/jobs/jobs.ts",
  "services-know-no-http": "server/src/features/runs/runs.service.ts = fastify",
  "rooms-below-know-no-features": "server/src/jobs/jobs.ts server/src/features/runs/runs.service.ts",
  "graders-know-upstreams-and-contract": "server/src/graders/psa/api.ts server/src/http/app.ts",
  "graders-see-settings-as-a-type": "server/src/graders/psa/api.ts = server/src/config.ts",
  "graders-never-meet": "server/src/graders/psa/api.ts server/src/price-sources/cardsiq/api.ts",
  "web-features-never-meet": "web/src/features/scanner/step.tsx web/src/features/dashboard/list.tsx",
  "web-imports-point-down": "web/src/run/open-session.ts web/src/table/results.tsx",
  "ui-knows-no-card": "web/src/ui/button.tsx contract/src/api/cards.ts",
  "papaparse-in-one-place": "web/src/features/scanner/step.tsx papaparse",
  "pg-boss-in-one-place": "server/src/features/runs/runs.jobs.ts pg-boss",
  "sharp-in-one-place": "server/src/features/exports/exports.service.ts sharp",
  "undici-in-one-place": "server/src/graders/psa/api.ts undici",
};

const isFile = (target: string): boolean => /\.tsx?$/.test(target);

/** Writes the files of the broken project. */
function build(folder: string): void {
  function append(path: string, line: string): void {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    appendFileSync(join(folder, path), `${line}\nexport {};\n`);
  }
  for (const broken of Object.values(BROKEN).flat()) {
    const [from = "", ...rest] = broken.split(" ");
    const to = rest.at(-1) ?? "";
    const specifier = isFile(to) ? `./${relative(dirname(from), to)}` : to;
    append(from, to && `import ${rest[0] === "=" ? "" : "type "}{ it } from "${specifier}";`);
    if (to !== "" && !to.endsWith("gone.ts")) append(isFile(to) ? to : `node_modules/${to}/index.js`, "");
  }
}

test("every import rule is an error and fires", async () => {
  const { default: config } = (await import(CONFIG)) as {
    default: { forbidden: { name: string; severity: string }[] };
  };
  const folder = mkdtempSync(join(tmpdir(), "slabdesk-house-"));
  try {
    build(folder);
    const args = [CRUISER, "--config", CONFIG, "--output-type", "json", ...ROOMS];
    const { stdout } = spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    });
    const { summary } = JSON.parse(stdout) as {
      summary: { violations: { rule: { name: string; severity: string }; from: string }[] };
    };
    const fired = summary.violations.filter(({ rule, from }) => {
      // A rule about folders names the folder.
      const isMeant = [BROKEN[rule.name] ?? []].flat().some((broken) => broken.startsWith(from));
      return isMeant && rule.severity === "error";
    });
    const names = new Set(fired.map(({ rule }) => rule.name));
    expect(config.forbidden.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
