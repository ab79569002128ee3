import { MAX_ELSEWHERE, type FoundRow, type SearchAnswer } from "@slabdesk/contract/api/search.ts";
import { isNumberOf, parseCertNumber } from "@slabdesk/contract/certs/cert-number.ts";
import { COMPANIES, type Company } from "@slabdesk/contract/certs/company.ts";
import type { Database } from "../../database/connection.ts";
import { listElsewhere } from "./lookup-history.repo.ts";
import * as repo from "./search.repo.ts";
import { presentRow } from "../sessions/sessions.present.ts";
import type { Viewer } from "../sessions/sessions.service.ts";

/** Up to this many rows, a scan is faster than the trigram index. A user's own rows are read from another index. */
const NEWEST_OWN_ROWS = 10_000;
const NEWEST_ROWS = 1_000;
/** Text that the trigram index cannot match is searched only in this many newest rows. */
const SHORT_TEXT_ROWS = 20_000;
/** Trigrams need three letters or digits in a row. */
const IN_INDEX = /[\p{L}\p{N}]{3}/u;

/**
 * Returns the newest rows that contain the text: the viewer's own, or everyone's for an admin. If the text is a cert
 * number, also returns who else looked it up and on which day, but no other details.
 */
export async function searchRows(db: Database, viewer: Viewer, text: string): Promise<SearchAnswer> {
  const owner = viewer.role === "admin" ? null : viewer.id;
  const certs = owner === null ? [] : certsIn(text);
  const [{ records, newestOnly }, elsewhere] = await Promise.all([
    findOrNormalized(db, { owner, text }),
    certs.length === 0 ? [] : listElsewhere(db, viewer, certs, MAX_ELSEWHERE),
  ]);
  return { results: records.map((record) => presentFound(record, viewer)), newestOnly, elsewhere };
}

/** Indexes the rows that changed, one session at a time. Until then, searches read these rows one by one. */
export async function indexAll(db: Database): Promise<void> {
  for (const sessionId of await repo.listNotIndexed(db)) await repo.indexSession(db, sessionId);
}

/** Also finds numbers typed as printed or with a company prefix: "1401019289-294", "PSA 98174651". */
async function findOrNormalized(db: Database, search: repo.Search) {
  const found = await find(db, search);
  if (found.records.length > 0) return found;
  const cert = certsIn(search.text).find(({ certNumber }) => certNumber !== search.text);
  return cert ? find(db, { ...search, text: cert.certNumber }) : found;
}

async function find(db: Database, search: repo.Search) {
  if (IN_INDEX.test(search.text)) {
    const newest = search.owner === null ? NEWEST_ROWS : NEWEST_OWN_ROWS;
    return { records: await repo.findRows(db, search, newest), newestOnly: null };
  }
  const { records, isAll } = await repo.findNewestRows(db, search, SHORT_TEXT_ROWS);
  return { records, newestOnly: isAll ? null : SHORT_TEXT_ROWS };
}

/** Returns the certs that the whole text can stand for, with or without a company prefix. */
function certsIn(text: string): { company: Company; certNumber: string }[] {
  return COMPANIES.flatMap((company) => {
    const reading = isNumberOf(company, text) ? parseCertNumber(company, text) : null;
    return reading?.ok ? [{ company, certNumber: reading.certNumber }] : [];
  });
}

function presentFound(record: repo.FoundRecord, viewer: Viewer): FoundRow {
  return {
    ...presentRow(record),
    sessionName: record.session_name,
    values: { source: record.value_source, valueThen: record.value_then, valueNow: record.value_now },
    ...(viewer.role === "admin" && { owner: { email: record.email, fullName: record.full_name } }),
  };
}
