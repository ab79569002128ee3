/** Everything that is found without running the product. Each is an error or nothing. @type {import("./run-steps.mjs").Step[]} */
export const STATIC_CHECKS = [
  { name: "format", tool: "oxfmt/bin/oxfmt", args: ["--check"] },
  { name: "lint", tool: "oxlint/bin/oxlint", args: ["--type-aware", "--deny-warnings"] },
  ...["contract", "server", "web", "simulator", "cli", "e2e", "bench", "docs", "scripts"].map((workspace) => ({
    name: `types of ${workspace}`,
    tool: "typescript/bin/tsc",
    args: ["-p", workspace],
  })),
  { name: "nothing unused", tool: "knip/bin/knip.js", args: ["--treat-config-hints-as-errors", "--no-progress"] },
  {
    name: "import rules",
    tool: "dependency-cruiser/bin/dependency-cruiser.mjs",
    args: ["--config", ".dependency-cruiser.mjs", "contract", "server", "web", "simulator", "cli", "e2e", "bench"],
  },
];
