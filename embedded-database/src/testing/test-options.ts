import type { EmbeddedDatabaseOptions } from "../embedded-database.ts";

/** What the tests start: a database of an imaginary application that also keeps `images` in its data folder. */
export function testOptions(
  dataDir: string,
  systemDir: string,
  info: (line: string) => void = () => {},
): EmbeddedDatabaseOptions {
  return { dataDir, systemDir, ownEntries: ["images"], name: "shop", role: "shop_app", log: { info } };
}
