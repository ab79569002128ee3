/*
 * Who may import whom (docs/architecture.md). Each rule covers every feature, grader, and page without listing them.
 * `scripts/house.test.ts` is its canary.
 */

/** Tests and what only they use. */
const TEST_CODE = "(?:\\.test(?:-data)?\\.tsx?$|^[^/]+/src/(?:|.+/)testing/|^e2e/|^bench/)";
const TESTS = `(?:${TEST_CODE}|^scripts/)`;

/** The files that wire the server together. Features take their parts from the type in `context.ts`. */
const ROOT = "^server/src/(?:main|app|context|open-upstreams)\\.ts$";

/** Features that serve the others: the activity log, and the sessions with their access checks and transactions. */
const LOWER = "(?:activity|sessions)";

/** The layers of a feature's files (docs/glossary.md). */
const LAYERS = "(?:plugin|routes|service|repo|jobs|events|present|rules|file|store)";

const PACKAGE = (name) => `(?:^|/)node_modules/${name}/`;

/** By rule: where no folder depends on itself through other folders, tests included. */
const ACYCLIC = { features: "server/src/features", table: "web/src/table", simulator: "simulator/src" };

/** @param {string} name @param {string} comment @param {object} from @param {object} to */
const forbid = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

/** A package that only one place may import. */
const onlyIn = (name, ...folders) =>
  forbid(
    `${name}-in-one-place`,
    `${name} is imported in ${folders.join(" and ")} only`,
    { pathNot: [...folders.map((folder) => `^${folder}`), "\\.test\\.tsx?$", "(?:^|/)node_modules/"] },
    { path: PACKAGE(name) },
  );

/** The folders of the contract, lowest first. Each imports only itself and those before it. */
const CONTRACT_ORDER = ["certs", "api", "market", "sheet", "review"];

/** The rooms of the web, from the one that knows least to the one that knows most. */
const WEB_ROOMS = ["ui", "api", "place", "run", "card", "table", "features", "app"];

export default {
  forbidden: [
    forbid("no-cycles", "Merge the two files or extract a third", {}, { circular: true }),
    forbid(
      "no-orphans",
      "A file that neither imports nor is imported is dead, or its import got lost",
      { orphan: true, pathNot: ["\\.d\\.ts$", "\\.config\\.ts$", "^web/public/"] },
      {},
    ),
    forbid("nothing-unresolved", "An import of something that isn't there", {}, { couldNotResolve: true }),
    forbid(
      "tests-stay-outside",
      "The product imports neither tests nor what only they use",
      { pathNot: TESTS },
      { path: TEST_CODE },
    ),

    forbid(
      "contract-depends-on-zod",
      "The contract is what browser and server share: zod, and nothing of either",
      { path: "^contract/src/", pathNot: "\\.test(?:-data)?\\.ts$" },
      { pathNot: ["^contract/src/", PACKAGE("zod")] },
    ),
    ...CONTRACT_ORDER.slice(0, -1).map((folder, at) =>
      forbid(
        "contract-imports-downward",
        `The order is ${CONTRACT_ORDER.join(" → ")}: cert numbers, wire types, then what is computed from them`,
        { path: `^contract/src/${folder}/`, pathNot: TESTS },
        { path: `^contract/src/(?:${CONTRACT_ORDER.slice(at + 1).join("|")})/` },
      ),
    ),
    forbid(
      "embedded-database-stands-alone",
      "It would serve any other application as well",
      { path: "^embedded-database/" },
      { pathNot: ["^embedded-database/", "(?:^|/)node_modules/"], dependencyTypesNot: ["core"] },
    ),
    forbid("web-and-server-never-meet", "They agree through contract/ only", { path: "^web/" }, { path: "^server/" }),
    forbid("server-and-web-never-meet", "They agree through contract/ only", { path: "^server/" }, { path: "^web/" }),
    forbid(
      "cli-knows-the-contract",
      "The command line is a stranger to the server, as every script is",
      { path: "^cli/src/", pathNot: "\\.test\\.ts$" },
      { path: "^(?:server|web|simulator|scripts)/" },
    ),
    forbid("nobody-knows-the-cli", "It is started as a process", { pathNot: "^cli/" }, { path: "^cli/" }),
    forbid(
      "simulator-for-the-demo-only",
      "The upstreams are simulated for start-up in demo mode, tests and measurements",
      { pathNot: ["^simulator/", TESTS, ROOT] },
      { path: "^simulator/" },
    ),
    forbid(
      "simulator-stands-alone",
      "A stand-in that shares code with what it tests proves nothing",
      { path: "^simulator/", pathNot: "\\.test\\.ts$" },
      { path: "^(?:server|web|e2e)/" },
    ),

    forbid(
      "root-is-not-imported",
      "Nothing knows the wiring. Features know the type of their context",
      { pathNot: [ROOT, TESTS, "^server/src/features/"] },
      { path: ROOT },
    ),
    forbid(
      "features-know-the-type-of-their-context",
      "A feature is handed its parts",
      { path: "^server/src/features/", pathNot: TESTS },
      { path: ROOT, dependencyTypesNot: ["type-only"] },
    ),
    forbid(
      "only-the-root-knows-plugins",
      "A feature is built once",
      { pathNot: [ROOT, TESTS] },
      { path: "\\.plugin\\.ts$" },
    ),
    forbid(
      "routes-call-their-service",
      "A route goes through a service of its own feature, after the access checks of the session's",
      { path: "^server/src/features/([^/]+)/.+\\.routes\\.ts$" },
      {
        path: ["^server/src/features/(?!$1/)", "^server/src/features/.+\\.(?:repo|jobs)\\.ts$"],
        pathNot: `^server/src/features/${LOWER}/.+\\.service\\.ts$`,
      },
    ),
    forbid(
      "features-meet-through-services",
      "Other features may use a feature's services and presenters, and nothing else of it",
      { path: "^server/src/features/([^/]+)/", pathNot: TESTS },
      { path: "^server/src/features/", pathNot: ["^server/src/features/$1/", "\\.(?:service|present)\\.ts$"] },
    ),
    forbid(
      "lower-features-know-no-higher-ones",
      "Runs may use sessions, never the other way",
      { path: `^server/src/features/${LOWER}/`, pathNot: TESTS },
      { path: "^server/src/features/", pathNot: `^server/src/features/${LOWER}/` },
    ),
    forbid(
      "features-name-the-layer",
      "The name of each file of a feature ends with its layer: `runs.service.ts`",
      {},
      { path: "^server/src/features/.+\\.ts$", pathNot: [TEST_CODE, `\\.${LAYERS}\\.ts$`] },
    ),
    ...Object.entries(ACYCLIC).map(([name, folder]) => ({
      ...forbid(
        `no-cycles-of-${name}`,
        "Folders that need each other are one folder, or what both need stands in a third",
        { path: `^${folder}/` },
        { path: `^${folder}/`, circular: true },
      ),
      scope: "folder",
    })),
    forbid(
      "repos-know-the-database-only",
      "Repos import other layers only as types",
      { path: "\\.repo\\.ts$" },
      {
        path: ["\\.(?:routes|service|jobs)\\.ts$", "^server/src/(?:http|jobs|upstreams|graders|price-sources)/"],
        dependencyTypesNot: ["type-only"],
      },
    ),
    forbid(
      "services-know-no-http",
      "A service serves routes and jobs alike",
      { path: "\\.(?:service|jobs)\\.ts$" },
      { path: ["\\.routes\\.ts$", PACKAGE("fastify")], dependencyTypesNot: ["type-only"] },
    ),
    forbid(
      "rooms-below-know-no-features",
      "Upstreams, queues, HTTP and the database serve features they know nothing of",
      {
        path: "^server/src/(?:concurrency|upstreams|images|jobs|http|database|graders|price-sources)/",
        pathNot: TESTS,
      },
      { path: "^server/src/features/" },
    ),
    forbid(
      "graders-know-upstreams-and-contract",
      "A grader speaks HTTP through its upstream and answers an outcome",
      { path: "^server/src/(?:graders|price-sources)/", pathNot: "\\.test\\.ts$" },
      { path: "^server/src/(?!graders/|price-sources/|upstreams/|concurrency/|config\\.ts)" },
    ),
    forbid(
      "graders-see-settings-as-a-type",
      "They are handed their settings by the root",
      { path: "^server/src/(?:graders|price-sources)/", pathNot: "\\.test\\.ts$" },
      { path: "^server/src/config\\.ts$", dependencyTypesNot: ["type-only"] },
    ),
    forbid(
      "graders-never-meet",
      "Put shared code in the parent folder",
      { path: "^server/src/(graders|price-sources)/([^/]+)/", pathNot: "\\.test\\.ts$" },
      { path: "^server/src/(?:graders|price-sources)/[^/]+/", pathNot: "^server/src/$1/$2/" },
    ),

    forbid(
      "web-features-never-meet",
      "What two features share stands in a room below them",
      { path: "^web/src/features/([^/]+)/" },
      { path: "^web/src/features/", pathNot: "^web/src/features/$1/" },
    ),
    ...WEB_ROOMS.slice(0, -1).map((room, index) =>
      forbid(
        "web-imports-point-down",
        `The order is ${WEB_ROOMS.join(", ")}: nothing imports from a room after its own`,
        { path: `^web/src/${room}/` },
        { path: `^web/src/(?:${WEB_ROOMS.slice(index + 1).join("|")})/` },
      ),
    ),
    forbid(
      "ui-knows-no-card",
      "Small pieces for every product: no query client, no contract, no call",
      { path: "^web/src/ui/" },
      { path: [PACKAGE("@tanstack/react-query"), "^contract/"] },
    ),

    onlyIn("papaparse", "contract/src/sheet/"),
    onlyIn("pg-boss", "server/src/jobs/"),
    onlyIn("sharp", "server/src/images/", "simulator/"),
    onlyIn("undici", "server/src/upstreams/"),
  ],
  options: {
    parser: "swc",
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)dist/" },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json", ".css"],
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "node", "default"],
      mainFields: ["module", "main", "types"],
    },
  },
};
