import { get } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { kilobytes } from "../numbers.ts";
import type { Section } from "../report.ts";
import { responseTo } from "../stage/response.ts";
import type { Stage } from "../stage/stage.ts";

type Loaded = { path: string; wireBytes: number; text: string };

const KINDS: [kind: string, of: RegExp][] = [
  ["page", /^\/$/],
  ["scripts", /\.js$/],
  ["styles", /\.css$/],
  ["typeface (Latin letters)", /\.woff2$/],
  ["icon", /\.svg$/],
];

/** What a new browser loads: the page, the files it names, and the font that its styles name. */
export async function measureFirstVisit(stage: Stage): Promise<Section> {
  const files = await stage.withNodes([{ ROLE: "web" }], async (_database, [node]) => {
    if (!node) throw new Error("No node was started");
    const page = await load(node.origin, "/");
    const named = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].flatMap(([, path]) => path ?? []);
    if (named.length === 0) throw new Error("The page names no files: the browser part is not built");
    const loaded = await Promise.all(named.map((path) => load(node.origin, path)));
    const typefaces = loaded.flatMap(({ path, text }) => (path.endsWith(".css") ? latinTypefaces(text) : []));
    return [page, ...loaded, ...(await Promise.all(typefaces.map((path) => load(node.origin, path))))];
  });
  const rows = KINDS.map(([kind, of]) => ({ kind, files: files.filter(({ path }) => of.test(path)) }));
  return {
    title: "First visit",
    about:
      "Bytes of the built web app on the wire, compressed as the server sends them. Later visits load only the page: the files have a hash in their names and are cached for a year.",
    head: ["what", "files", "on the wire"],
    rows: [...rows, { kind: "**all**", files }].map((row) => [
      row.kind,
      String(row.files.length),
      kilobytes(row.files.reduce((sum, file) => sum + file.wireBytes, 0)),
    ]),
    notes: [],
  };
}

function latinTypefaces(styles: string): string[] {
  const faces = styles.match(/@font-face\s*\{[^}]*\}/g) ?? [];
  const latin = faces.filter((face) => /unicode-range:[^;}]*U\+(?:0{1,4}-F{2}|00\?\?|\?\?|0000-00FF)/i.test(face));
  return latin.flatMap((face) => /url\(["']?(\/[^)"']+)/.exec(face)?.[1] ?? []);
}

/** Uses node:http, because fetch doesn't report how many bytes arrived. */
async function load(origin: string, path: string): Promise<Loaded> {
  const response = await responseTo(get(`${origin}${path}`, { headers: { "accept-encoding": "gzip" } }));
  const body = await buffer(response);
  const plain = response.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
  return { path, wireBytes: body.length, text: plain.toString("utf8") };
}
