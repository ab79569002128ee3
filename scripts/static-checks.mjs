/** The checks that don't run the product. They report errors, no warnings. @type {import("./run-steps.mjs").Step[]} */
export const STATIC_CHECKS = [
  { name: "format", tool: "oxfmt/bin/oxfmt", args: ["--check"] },
  { name: "lint and types", tool: "oxlint/bin/oxlint", args: ["--deny-warnings"] },
  { name: "nothing unused", tool: "knip/bin/knip.js", args: ["--treat-config-hints-as-errors", "--no-progress"] },
  {
    name: "import rules",
    tool: "dependency-cruiser/bin/dependency-cruiser.mjs",
    args: "--config .dependency-cruiser.mjs contract embedded-database server web simulator cli e2e bench".split(" "),
  },
];
