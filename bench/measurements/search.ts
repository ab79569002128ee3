import { profileSchema } from "@slabdesk/contract/api/people.ts";
import { searchAnswerSchema } from "@slabdesk/contract/api/search.ts";
import { type Database, openDatabase, openPool } from "../../server/src/database/connection.ts";
import { indexAll, searchRows } from "../../server/src/features/history/search.service.ts";
import { formatNumber, median, percentile, timed } from "../numbers.ts";
import type { Section } from "../report.ts";
import type { ServerNode } from "../stage/node.ts";
import type { BenchDatabase } from "../stage/postgres.ts";
import type { Stage } from "../stage/stage.ts";
import { Visitor } from "../stage/visitor.ts";
import { OWNER_ROWS, OWNERS, storeCards } from "./search-rows.ts";

/** The indexes that a search reads, besides the primary key. */
const READ_INDEXES: ReadonlySet<string> = new Set(["scan_results_user", "scan_results_session", "scan_results_cert"]);
const SEARCHERS = 5;
/** Each person searches this many times for each kind of text. */
const TEXTS = 10;
/** This many of the texts are also searched without the search's indexes, which takes a third of a second or more. */
const PLAIN_TEXTS = 2;

type OwnCard = { cert: string; company: string; player: string; year: string; brand: string };
/** A kind of text, made from one of the searcher's cards; an administrator searches for `everybody`. */
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
  { name: "a missing text", text: ({ cert, year }) => `${cert}-${year}` },
  { name: "a cert number, everyone's", text: ({ cert }) => cert, everybody: true },
  { name: "a player, everyone's", text: ({ player }) => player, everybody: true },
  { name: "a missing text, everyone's", text: ({ cert, year }) => `${cert}-${year}`, everybody: true },
];

type Searcher = { id: string; role: "user" | "admin"; visitor: Visitor };
/** One search and how long it took; `plainMs` is the time without the search's indexes, if measured. */
type Search = { kind: Kind; searcher: Searcher; text: string };
type Timing = { kind: Kind; found: number; answerMs: number; aloneMs: number; plainMs?: number };

/** Compares searches for part of a text among a million rows with ILIKE on five columns. */
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
    const db = openDatabase(openPool({ connectionString: database.url }, () => {}, 5));
    const indexed = await timed(() => indexAll(db));
    const turns = await planTurns(node, database, people);
    const [first = []] = turns;
    // The first round is repeated and not measured, because a server that has just started is slower.
    await searchAll(db, first);
    const { timings, bareMs } = await searchAll(db, turns.flat());
    await db.destroy();
    await database.query("DROP INDEX scan_results_user");
    const few = turns.slice(0, PLAIN_TEXTS).flat();
    for (const [index, search] of few.entries()) {
      const timing = timings[index];
      if (timing) timing.plainMs = await askPlainly(database, search);
    }
    return section(timings, bareMs, { storedMs: stored.ms, indexedMs: indexed.ms });
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

/** Texts of cards of every age, so that some are far from the newest. A round has every kind once for every searcher. */
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

/** Runs each text through the server, then only its query; `bareMs` is a request that only reads the signed-in user. */
async function searchAll(db: Database, searches: readonly Search[]): Promise<{ timings: Timing[]; bareMs: number[] }> {
  const timings: Timing[] = [];
  const bareMs: number[] = [];
  for (const { kind, searcher, text } of searches) {
    const path = `/api/scan-results/search?${new URLSearchParams({ q: text }).toString()}`;
    const { ms: answerMs, answer } = await timed(() => searcher.visitor.ask("GET", path));
    const { ms: aloneMs } = await timed(() => searchRows(db, searcher, text));
    timings.push({ kind, found: searchAnswerSchema.parse(answer).results.length, answerMs, aloneMs });
    bareMs.push((await timed(() => searcher.visitor.ask("GET", "/api/profile"))).ms);
  }
  return { timings, bareMs };
}

/** The same query without any of the search's optimizations. */
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

type Preparation = { storedMs: number; indexedMs: number };

function section(timings: readonly Timing[], bareMs: readonly number[], { storedMs, indexedMs }: Preparation): Section {
  const rowOf = (kind: Kind): string[] =>
    describe(
      kind.name,
      timings.filter((timing) => timing.kind === kind),
    );
  const own = timings.filter(({ kind }) => !kind.everybody);
  return {
    title: "Search",
    watched: {
      "ms of the slowest 5 % of searches among a million rows": percentile(
        own.map(({ answerMs }) => answerMs),
        95,
      ),
    },
    about:
      `\`GET /api/scan-results/search\` among ${(OWNERS * OWNER_ROWS).toLocaleString("en-US")} rows of ${OWNERS} users, ` +
      `with ${SEARCHERS} users searching for ${TEXTS} texts of each kind, one after another: the whole response, and only ` +
      "its query, without HTTP and sign-in. The query is compared with ILIKE on five columns (`user_id` by `=`, newest 50) " +
      "in a database without the search's indexes and without the one on `user_id`, " +
      `for ${PLAIN_TEXTS} of ${TEXTS} texts.`,
    head: ["text", "found", "response p50", "p95", "query p50", "p95", "ILIKE p50", "ILIKE / query"],
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
      "Found, p50, and the last column are medians. The goals for one's own rows: a response in 20 ms at p95, and a query " +
        "50 times faster than ILIKE. ILIKE is fast, too, for a text that occurs everywhere, because it finds the newest " +
        "rows soon. Only administrators search everyone's rows. Rows and " +
        `indexes were created in ${formatNumber(storedMs / 1000)} s, and the chunks of texts, which a worker writes after the ` +
        `rows, in ${formatNumber(indexedMs / 1000)} s.`,
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
    formatNumber(median(timings.map(({ found }) => found))),
    milliseconds(median(answerMs)),
    milliseconds(percentile(answerMs, 95)),
    milliseconds(median(aloneMs)),
    milliseconds(percentile(aloneMs, 95)),
    milliseconds(median(compared.map(({ plainMs }) => plainMs))),
    `${formatNumber(median(compared.map(({ times }) => times)))} times`,
  ];
}

const milliseconds = (value: number): string => `${formatNumber(value)} ms`;
