import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./paths.mjs";

const MANTINE = join(ROOT, "node_modules/@mantine/core");
const COMPONENTS = join(MANTINE, "esm/components");

test("the web app imports the styles of each Mantine component that it uses", () => {
  const sources = globSync("web/src/**/*.{ts,tsx}", { cwd: ROOT })
    .filter((path) => !path.includes(".test."))
    .map((path) => readFileSync(join(ROOT, path), "utf8"));
  const used = sources.flatMap((text) =>
    [...text.matchAll(/import \{([^}]*)\} from "@mantine\/core"/g)].flatMap(
      ([, names = ""]) => names.match(/\w+/g) ?? [],
    ),
  );
  const imported = sources.flatMap((text) =>
    [...text.matchAll(/"@mantine\/core\/styles\/(\w+)\.layer\.css"/g)].map(([, name]) => name),
  );
  const needed = stylesOf([...new Set(used)].map((name) => join(COMPONENTS, name, `${name}.mjs`)).filter(existsSync));
  expect(needed.size).toBeGreaterThan(20);
  expect([...needed].filter((name) => !imported.includes(name))).toEqual([]);
});

/** The names of the style files of these modules and all that they import. Each has a list of its class names. */
function stylesOf(modules: string[]): Set<string> {
  const seen = new Set(modules);
  const styles = new Set<string>();
  for (const path of seen) {
    for (const [, to = ""] of readFileSync(path, "utf8").matchAll(/from "(\.[^"]+)"/g)) {
      const style = /\/(\w+)\.module\.mjs$/.exec(to)?.[1];
      if (style !== undefined && existsSync(join(MANTINE, "styles", `${style}.layer.css`))) styles.add(style);
      seen.add(join(dirname(path), to));
    }
  }
  return styles;
}
