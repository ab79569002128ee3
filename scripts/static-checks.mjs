/** Everything that is found without running the product. Each is an error or nothing. @type {import("./run-steps.mjs").Step[]} */
export const STATIC_CHECKS = [
  { name: "format", tool: "oxfmt/bin/oxfmt", args: ["--check"] },
  { name: "lint", tool: "oxlint/bin/oxlint", args: ["--type-aware", "--deny-warnings"] },
  ...[
    ["contract", "contract"],
    ["web", "web"],
    ["e2e", "e2e"],
    // What runs on Node alone, which shares most of its files: the server, the simulator, the command line and the tools.
    ["the rest", "tsconfig.node.json"],
  ].map(([name, project]) => ({ name: `types of ${name}`, tool: "typescript/bin/tsc", args: ["-p", project] })),
  { name: "nothing unused", tool: "knip/bin/knip.js", args: ["--treat-config-hints-as-errors", "--no-progress"] },
  {
    name: "import rules",
    tool: "dependency-cruiser/bin/dependency-cruiser.mjs",
    args: ["--config", ".dependency-cruiser.mjs", "contract", "server", "web", "simulator", "cli", "e2e", "bench"],
  },
];
