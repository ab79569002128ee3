import { profileSchema } from "@slabdesk/contract/api/people.ts";
import { searchAnswerSchema } from "@slabdesk/contract/api/search.ts";
import { openDatabase, openPool } from "../../server/src/database/connection.ts";
import { createSearchService } from "../../server/src/features/history/search.service.ts";
import { figure, median, percentile, timed } from "../figures.ts";
import type { Section } from "../report.ts";
import type { ServerNode } from "../stage/node.ts";
import type { BenchDatabase } from "../stage/postgres.ts";
import type { Stage } from "../stage/stage.ts";
import { Visitor } from "../stage/visitor.ts";
import { OWNER_ROWS, OWNERS, storeCards } from "./search-rows.ts";

/** Of the indexes those that a search reads, besides the primary key. */
const READ_INDEXES: ReadonlySet<string> = new Set(["scan_results_user", "scan_results_search", "scan_results_cert"]);
const SEARCHERS = 5;
/** Each searches for so many texts of a kind. */
const TEXTS = 10;
/** Of these so many are asked for without the search's indexes too, which takes a third of a second and more. */
const PLAIN_TEXTS = 2;

type OwnCard = { cert: string; company: string; player: string; year: string; brand: string };
/** A kind of text, made of one of the searcher's cards; `everybody` is searched by an administrator. */
type Kind = { name: string; text: (card: OwnCard) => string; everybody?: true };

const KINDS: Kind[] = [
  { name: "a whole cert number", text: ({ cert }) => cert },
  { name: "five digits", text: ({ cert }) => cert.slice(2, 7) },
  { name: "three digits", text: ({ cert }) => cert.slice(-3) },
  { name: "a player", text: ({ player }) => player },
  { name: "year and brand", text: ({ year, brand }) => `${year} ${brand}` },
  { name: "a brand", text: ({ brand }) => brand.toLowerCase() },
  { name: "a company", text: ({ company }) => company },
  { name: "two letters", text: ({ player }) => player.slice(-6, -4) },
  { name: "what is nowhere", text: ({ cert, year }) => `${cert}-${year}` },
  { name: "a cert number, everybody's", text: ({ cert }) => cert, everybody: true },
  { name: "a player, everybody's", text: ({ player }) => player, everybody: true },
];

type Searcher = { id: string; role: "user" | "admin"; visitor: Visitor };
/** One text that somebody searches for, and how long it took; `plainMs` where it was asked plainly too. */
type Search = { kind: Kind; searcher: Searcher; text: string };
type Timing = { kind: Kind; found: number; answerMs: number; aloneMs: number; plainMs?: number };

/** A search by part of a text among a million rows, against five columns compared by ILIKE. */
export async function measureSearch(stage: Stage): Promise<Section> {
  return stage.withNodes([{ ROLE: "web" }], async (database, [node]) => {
    if (!node) throw new Error("No node was started");
    const people = await hire(node);
    const stored = await timed(() =>
      storeCards(
        database,
        people.map(({ id }) => id),
        READ_INDEXES,
      ),
    );
    const turns = await planTurns(node, database, people);
    const [first = []] = turns;
    // The first turn once more, unmeasured: a server that has just begun is slower.
    await searchAll(database, first);
    const { timings, bareMs } = await searchAll(database, turns.flat());
    await database.query("DROP INDEX scan_results_search");
    await database.query("DROP INDEX scan_results_user");
    const few = turns.slice(0, PLAIN_TEXTS).flat();
    for (const [index, search] of few.entries()) {
      const timing = timings[index];
      if (timing) timing.plainMs = await askPlainly(database, search);
    }
    return section(timings, bareMs, stored.ms);
  });
}

async function hire(node: ServerNode): Promise<Searcher[]> {
  const admin = await node.visit();
  const people: Searcher[] = [];
  for (let n = 0; n < SEARCHERS; n += 1) {
    const account = { email: `searcher${n}@example.com`, password: "measured-on-purpose" };
    await admin.ask("POST", "/api/admin/users", { ...account, fullName: `Searcher ${n}`, role: "user" });
    people.push(await meet(await Visitor.signIn(node.origin, account)));
  }
  return people;
}

async function meet(visitor: Visitor): Promise<Searcher> {
  const { id, role } = profileSchema.parse(await visitor.ask("GET", "/api/profile"));
  return { id, role, visitor };
}

/** Texts of cards of every age, so that some are far from the newest; a turn has every kind once for every searcher. */
async function planTurns(node: ServerNode, database: BenchDatabase, people: readonly Searcher[]): Promise<Search[][]> {
  const admin = await meet(await node.visit());
  const turns: Search[][] = Array.from({ length: TEXTS }, () => []);
  for (const person of people) {
    const cards = await database.query<OwnCard>(
      `SELECT cert_number AS cert, grading_company AS company, player_character AS player, year, brand_set AS brand FROM (
         SELECT *, row_number() OVER (ORDER BY id) AS n FROM scan_results WHERE user_id = $1
       ) AS own WHERE n % $2::int = 7 ORDER BY n`,
      [person.id, OWNER_ROWS / TEXTS],
    );
    for (const [index, card] of cards.entries())
      for (const kind of KINDS) {
        if (kind.everybody && person !== people[0]) continue;
        turns[index]?.push({ kind, searcher: kind.everybody ? admin : person, text: kind.text(card) });
      }
  }
  return turns;
}

/** Each text through the server, and then its search alone; `bareMs`: requests that read nothing but who asks. */
async function searchAll(
  database: BenchDatabase,
  searches: readonly Search[],
): Promise<{ timings: Timing[]; bareMs: number[] }> {
  const pool = openPool({ connectionString: database.url }, () => {}, 5);
  const db = openDatabase(pool);
  const service = createSearchService({ db, pool });
  const timings: Timing[] = [];
  const bareMs: number[] = [];
  for (const { kind, searcher, text } of searches) {
    const path = `/api/scan-results/search?${new URLSearchParams({ q: text }).toString()}`;
    const { ms: answerMs, answer } = await timed(() => searcher.visitor.ask("GET", path));
    const { ms: aloneMs } = await timed(() => service.search(searcher, text));
    timings.push({ kind, found: searchAnswerSchema.parse(answer).results.length, answerMs, aloneMs });
    bareMs.push((await timed(() => searcher.visitor.ask("GET", "/api/profile"))).ms);
  }
  await db.destroy();
  return { timings, bareMs };
}

/** The same question as it would be asked without any of this. */
async function askPlainly(database: BenchDatabase, { kind, searcher, text }: Search): Promise<number> {
  const { ms } = await timed(() =>
    database.query(
      `SELECT * FROM scan_results WHERE (cert_number ILIKE $1 OR item_name ILIKE $1 OR player_character ILIKE $1
         OR brand_set ILIKE $1 OR grading_company ILIKE $1) ${kind.everybody ? "" : "AND user_id = $2"}
       ORDER BY id DESC LIMIT 50`,
      kind.everybody ? [`%${text}%`] : [`%${text}%`, searcher.id],
    ),
  );
  return ms;
}

function section(timings: readonly Timing[], bareMs: readonly number[], storedMs: number): Section {
  const rowOf = (kind: Kind): string[] =>
    describe(
      kind.name,
      timings.filter((timing) => timing.kind === kind),
    );
  const own = timings.filter(({ kind }) => !kind.everybody);
  return {
    title: "Search",
    about:
      `\`GET /api/scan-results/search\` among ${(OWNERS * OWNER_ROWS).toLocaleString("en-US")} rows of ${OWNERS} users, ` +
      `${SEARCHERS} of whom search for ${TEXTS} texts of each kind, one after another: until the answer is read, and the ` +
      "search alone, without HTTP and sign-in. Against the search alone, the same question to the same rows as five columns " +
      "compared by ILIKE, `user_id` by `=`, newest 50, by a database that has none of the search's indexes, neither that of " +
      `whose the rows are: ${PLAIN_TEXTS} of ${TEXTS} texts.`,
    head: ["text", "found", "answer p50", "p95", "search alone p50", "p95", "ILIKE p50", "against it"],
    rows: [
      ...KINDS.filter(({ everybody }) => !everybody).map(rowOf),
      describe("**all of these**", own),
      ...KINDS.filter(({ everybody }) => everybody).map(rowOf),
      [
        "no search: `GET /api/profile`",
        "",
        milliseconds(median(bareMs)),
        milliseconds(percentile(bareMs, 95)),
        "",
        "",
        "",
        "",
      ],
    ],
    notes: [
      "Found and p50 are medians. The last column is how many times longer a text's ILIKE takes than its search alone, " +
        "the median too. The aims, for one's own rows: an answer in 20 ms at p95, and 50 times less than ILIKE. What is " +
        "everywhere ILIKE finds soon too, among the newest rows. Everybody's are searched by administrators. Rows and " +
        `indexes were made in ${figure(storedMs / 1000)} s.`,
    ],
  };
}

function describe(name: string, timings: readonly Timing[]): string[] {
  const answerMs = timings.map((timing) => timing.answerMs);
  const aloneMs = timings.map((timing) => timing.aloneMs);
  const compared = timings.flatMap(({ aloneMs: alone, plainMs }) =>
    plainMs === undefined ? [] : [{ plainMs, times: plainMs / alone }],
  );
  return [
    name,
    figure(median(timings.map(({ found }) => found))),
    milliseconds(median(answerMs)),
    milliseconds(percentile(answerMs, 95)),
    milliseconds(median(aloneMs)),
    milliseconds(percentile(aloneMs, 95)),
    milliseconds(median(compared.map(({ plainMs }) => plainMs))),
    `${figure(median(compared.map(({ times }) => times)))} times`,
  ];
}

const milliseconds = (value: number): string => `${figure(value)} ms`;
