import type { Profile } from "@slabdesk/contract/api/people.ts";
import type { Entry, EntryCard } from "@slabdesk/contract/api/results.ts";
import type { Card } from "@slabdesk/contract/api/cards.ts";
import { parseCompany, type Company } from "@slabdesk/contract/certs/company.ts";
import { formatUtcDay } from "@slabdesk/contract/certs/dates.ts";
import { assembleCard, foldText, NO_IMAGES, withNumberSign } from "../../graders/card-text.ts";
import { conflict, noSuchThing } from "../../http/http-error.ts";
import { requestPrices, leaving } from "../prices/price-requests.service.ts";
import { findRowById, splitEvent } from "../sessions/session-changes.service.ts";
import { presentRow, type RowRecord } from "../sessions/sessions.present.ts";
import type { Authorized } from "../sessions/sessions.service.ts";
import * as repo from "./entries.repo.ts";
import { demandRoom, type RunContext } from "./row-transactions.service.ts";

const NO_NUMBER = "Correct the company and the cert number of this row first";
const NOT_ENTERABLE = "Only a card that failed, waits or was found without a name can be entered by hand";
const NO_ENTRY = "This row's card was not entered by hand";

/**
 * Finds a failed, waiting or nameless row, and the session's other such rows of the card, by what a person typed.
 * Caches the card and requests its prices. Also changes an earlier entry.
 * @throws HttpError 409 if the row's number is invalid, a grader has named the card, or the quota is exceeded
 */
export async function saveEntry(context: RunContext, viewer: Profile, row: Authorized<RowRecord>, typed: EntryCard) {
  const { now, certs, sessions } = context;
  const company = parseCompany(row.grading_company);
  const isInvalid = row.outcome === "invalid_row" || row.outcome === "invalid_number";
  if (company === null || isInvalid) throw conflict(NO_NUMBER);
  const entry: Entry = { by: viewer.fullName, at: now().toISOString(), card: typed };
  const notes = `Entered by hand by ${entry.by} on ${formatUtcDay(entry.at)}`;
  const card = cardOf(company, row.cert_number, entry);
  await sessions.changeCounted(row.session_id, async (locked) => {
    const saved = await repo.saveEntry(locked, row.id, { card, notes, entry });
    if (!saved.isChanged) throw conflict(NOT_ENTERABLE);
    await demandRoom(context, locked, saved.bytes);
    // A stopped session requests its prices when it is resumed.
    const requestsPrices = locked.include_pricing && locked.status !== "failed";
    const tally = requestsPrices ? await requestPrices(context, locked, "changed") : {};
    await splitEvent(locked);
    // Last, because other people's lookups of the card wait for this row.
    await certs.rememberEntry(locked.trx, { card, notes, entry });
    return { ...tally, rows: saved.settled };
  });
  return shown(context, viewer, row, "entry_saved");
}

/**
 * Removes an entry: the row and the session's other rows of the card fail as before, without prices and photos. Removes
 * the cached cert if it is this entry.
 * @throws HttpError 409 if the row's card was not entered by hand
 */
export async function removeEntry(context: RunContext, viewer: Profile, row: Authorized<RowRecord>) {
  const { now, certs, sessions } = context;
  await sessions.changeCounted(row.session_id, async (locked) => {
    const removed = await repo.removeEntry(locked, row.id, { by: viewer.fullName, at: now().toISOString() });
    if (!removed) throw conflict(NO_ENTRY);
    await demandRoom(context, locked, -removed.bytes);
    await splitEvent(locked);
    await certs.forgetEntry(locked.trx, row.grading_company, row.cert_number, removed.at);
    return leaving(removed.prices);
  });
  return shown(context, viewer, row, "entry_removed");
}

async function shown(
  { db, activity }: RunContext,
  viewer: Profile,
  row: Authorized<RowRecord>,
  type: "entry_saved" | "entry_removed",
) {
  const what = `${row.grading_company} ${row.cert_number}`;
  const message = type === "entry_saved" ? `Entered ${what} by hand` : `Removed the card entered by hand for ${what}`;
  await activity.log(viewer.id, type, message, { resultId: String(row.id), sessionId: row.session_id });
  const changed = await findRowById(db, row.id);
  if (!changed) throw noSuchThing("result");
  return presentRow(changed);
}

function cardOf(company: Company, certNumber: string, { at, card }: Entry): Card {
  const details = {
    itemName: foldText(card.itemName),
    year: foldText(card.year),
    brand: foldText(card.brand),
    cardNumber: withNumberSign(foldText(card.cardNumber)),
    grade: foldText(card.grade),
    player: null,
    sport: null,
    variety: null,
  };
  const { population } = card;
  const counted = { population, populationHigher: null, populationAsOf: population === null ? null : at };
  return { ...assembleCard(company, certNumber, details, NO_IMAGES), ...counted };
}
