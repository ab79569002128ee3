import { describe, expect, it } from "vitest";
import { ACTIVITIES_PER_MINUTE } from "@slabdesk/contract/api/activity.ts";
import { MIN_CHOSEN_PASSWORD_LENGTH } from "@slabdesk/contract/api/people.ts";
import { LARGEST_PHOTO_BYTES } from "@slabdesk/contract/api/photos.ts";
import { MAX_SHEET_COLUMNS, MAX_SHEET_ROWS } from "@slabdesk/contract/api/sheet-format.ts";
import { parseConfig } from "../server/src/config.ts";
import { MOST_TEXT } from "../server/src/database/row-size.ts";
import {
  LARGEST_ADDITION_BYTES,
  LARGEST_FORM_BYTES,
  LARGEST_SELECTION_BYTES,
  LARGEST_TEXT_BYTES,
  LARGEST_UPLOAD_BYTES,
} from "../server/src/http/body-limits.ts";
import { INTERVALS } from "../server/src/intervals.ts";
import { readHouseFile, readTableRows } from "./markdown-tables.ts";

const text = readHouseFile("docs/security.md");
const rows = readTableRows(text);
const shown = (value: number): string => value.toLocaleString("en-US");

/** A number in a source file: what follows `name` and an equals sign or a colon. */
function codesNumber(file: string, name: string): number {
  const written = new RegExp(`\\b${name}(?: =|:) ([\\d_]+)`).exec(readHouseFile(`${file}.ts`))?.[1];
  if (written === undefined) throw new Error(`${file} has no ${name}`);
  return Number(written.replaceAll("_", ""));
}

const USERS = "server/src/features/users";
const LIMITER = `${USERS}/password-limiter.service`;
const FLOODS = "server/src/http/flood-guard";
const BODIES = "server/src/http/request-bodies";
const CONNECTIONS = "server/src/http/connections";
const IMAGES = "server/src/images";
const ENDPOINTS = "server/src/upstreams/http-endpoints";
const { SESSION_IDLE_HOURS, SESSION_MAX_DAYS } = parseConfig({});

describe("docs/security.md", () => {
  it.each<[what: string, numbers: string[]]>([
    ["wrong passwords for an account from one network", [shown(codesNumber(LIMITER, "WRONG_A_MINUTE"))]],
    ["wrong passwords from one network", [shown(codesNumber(LIMITER, "WRONG_FROM_ADDRESS_A_MINUTE"))]],
    [
      "wrong passwords for an account from networks it does not usually sign in from",
      [
        `${codesNumber(LIMITER, "free")} a day`,
        `${codesNumber(LIMITER, "firstS")} s`,
        `${codesNumber(LIMITER, "longestS")} min`,
      ],
    ],
    [
      "requests of a person",
      ["PROVEN_A_MINUTE", "CHANGES_A_MINUTE", "CHANGES_A_DAY"].map((name) => shown(codesNumber(FLOODS, name))),
    ],
    ["requests without a sign-in from one network", [shown(codesNumber(FLOODS, "UNPROVEN_A_MINUTE"))]],
    ["connections", [shown(codesNumber(CONNECTIONS, "each")), shown(codesNumber(CONNECTIONS, "total"))]],
    ["unanswered requests on a connection", [shown(codesNumber(CONNECTIONS, "UNANSWERED_AT_MOST"))]],
    ["chunks below 512 bytes in bodies from one network", [shown(codesNumber(CONNECTIONS, "aSecond"))]],
    ["requests from one network whose bodies are still arriving", [shown(codesNumber(BODIES, "ARRIVING_AT_MOST"))]],
    ["auth sessions of a user", [shown(codesNumber(`${USERS}/auth-sessions.repo`, "PER_PERSON_AT_MOST"))]],
    [
      "event streams of a person",
      [shown(codesNumber("server/src/features/sessions/sessions.routes", "STREAMS_A_PERSON"))],
    ],
    [
      "an upload",
      [`${LARGEST_UPLOAD_BYTES / 1024 ** 2} MB`, `${shown(MAX_SHEET_ROWS)} rows`, `${MAX_SHEET_COLUMNS} columns`],
    ],
    [
      "unsent responses per person",
      [
        String(codesNumber("server/src/http/overload", "A_PERSONS_UNSENT")),
        String(codesNumber("server/src/features/photos/photos.routes", "each")),
      ],
    ],
    [
      "the body of any other request",
      [
        ...[LARGEST_FORM_BYTES, LARGEST_TEXT_BYTES].map((bytes) => `${bytes / 1024} kB`),
        ...[LARGEST_ADDITION_BYTES, LARGEST_SELECTION_BYTES].map((bytes) => `${bytes / 1024 ** 2} MB`),
      ],
    ],
    [
      "the characters of a line's or a header's cells",
      [shown(codesNumber("contract/src/api/sessions", "LONGEST_LINE"))],
    ],
    [
      "the reading of a sheet",
      [
        `${INTERVALS.sheetDeadlineMs / 1000} s`,
        `${shown(codesNumber("server/src/sheets/sheet-reader", "MEMORY_MB"))} MB`,
      ],
    ],
    [
      "a body that stops arriving, and an answer that the client stops reading",
      [shown(codesNumber(BODIES, "LEAST_BYTES_PER_SECOND"))],
    ],
    [
      "a photo",
      [
        `${LARGEST_PHOTO_BYTES / 1e6} MB`,
        `${codesNumber(`${IMAGES}/heavy-images`, "LARGEST_MEGAPIXELS")} million pixels`,
        `${shown(codesNumber(`${IMAGES}/heavy-images`, "LARGEST_SIDE"))} pixels`,
      ],
    ],
    ["the decoding of an image", [`${codesNumber(`${IMAGES}/decoding`, "LONGEST_DECODING_MS") / 1000} s`]],
    [
      "an answer of a grader or price source",
      [
        `${codesNumber(ENDPOINTS, "CARD_LIMIT_BYTES") / 1e3} kB`,
        `${codesNumber(ENDPOINTS, "JSON_LIMIT_BYTES") / 1e6} MB`,
        `${codesNumber(ENDPOINTS, "PAGE_LIMIT_BYTES") / 1e6} MB`,
      ],
    ],
    [
      "reading a grader's page",
      [
        `${codesNumber("server/src/graders/page-reading", "LONGEST_READING_MS") / 1000} s`,
        `${codesNumber("server/src/graders/page-reading", "MEMORY_MB")} MB`,
      ],
    ],
    [
      "how long runs wait for a session that is being changed",
      [
        `${codesNumber("server/src/features/runs/runs.jobs", "LONGEST_CHANGE_MS") / 1000} s`,
        `${codesNumber("server/src/database/connection", "LONGEST_LOCK_WAIT_MS") / 1000} s`,
      ],
    ],
    [
      "rows of a card that plans and lookup histories read",
      [`the newest ${codesNumber("server/src/features/history/lookup-history.repo", "ROWS_OF_A_CARD")}`],
    ],
    ["text of rows read at a time", [`${MOST_TEXT / 1e6} MB`]],
    [
      "entries that a person's browser may log",
      [`${ACTIVITIES_PER_MINUTE} a minute`, shown(codesNumber("contract/src/api/activity", "LONGEST_ACTIVITY"))],
    ],
    [
      "a text in an entry of the activity log",
      [`${codesNumber("server/src/features/activity/activity.service", "LONGEST_TEXT")} characters`],
    ],
    ["passwords", [`at least ${MIN_CHOSEN_PASSWORD_LENGTH} characters`]],
    ["one-time passwords", [`${codesNumber(`${USERS}/passwords.rules`, "ONE_TIME_GOOD_FOR_MS")} days`]],
    ["tokens of auth sessions", [`${SESSION_IDLE_HOURS} hours`, `${SESSION_MAX_DAYS} days`]],
  ])("gives the limit of %s", (what, numbers) => {
    const limit = rows.find(({ cells }) => cells[0] === what)?.cells[1];
    for (const number of numbers) expect(limit).toContain(number);
  });

  it("gives the places of decision 0067", () => {
    const decided = readTableRows(readHouseFile("docs/decisions/0067-give-each-person-a-share.md"));
    const placesOf = (list: typeof rows) => list.map(({ cells }) => cells.slice(1, 3).map(Number));
    expect(placesOf(rows.filter(({ cells }) => cells.length === 3))).toEqual(placesOf(decided));
  });

  it("gives the places that the code has", () => {
    const places = ["sheets/sheet-routes", "sheets/sheet-reader", "features/photos/photos.routes"]
      .concat("features/exports/exports.routes", "images/decoding", "http/concurrent-requests", "http/overload")
      .flatMap((file) => [...readHouseFile(`server/src/${file}.ts`).matchAll(/total: (\d+),\s+each: (\d+)/g)])
      .map(([, total, each]) => [Number(total), Number(each)]);
    const documented = rows.filter(({ cells }) => cells.length === 3).map(({ cells }) => cells.slice(1, 3).map(Number));
    expect(documented).toEqual(expect.arrayContaining(places));
    expect(places).toHaveLength(7);
  });
});
