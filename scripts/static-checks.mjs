/** The checks that don't run the product. They report errors, no warnings. @type {import("./run-steps.mjs").Step[]} */
export const STATIC_CHECKS = [
  { name: "format", tool: "oxfmt/bin/oxfmt", args: ["--check"] },
  { name: "lint", tool: "oxlint/bin/oxlint", args: ["--deny-warnings"] },
  // With more checkers, shared types are checked more than once, which costs more than two cores gain.
  { name: "types", tool: "typescript/bin/tsc", args: ["--build", "--checkers", "1"] },
  { name: "nothing unused", tool: "knip/bin/knip.js", args: ["--treat-config-hints-as-errors", "--no-progress"] },
  {
    name: "import rules",
    tool: "dependency-cruiser/bin/dependency-cruiser.mjs",
    args: "--config .dependency-cruiser.mjs contract embedded-database server web simulator cli e2e bench".split(" "),
  },
];
