import type { ResultRow, RowEdit } from "@slabdesk/contract/api/results.ts";
import { costProblem, customerPriceOf, parseOffer, parsePrice, priceMessage } from "@slabdesk/contract/sheet/price.ts";
import type { Context } from "../../context.ts";
import { HttpError } from "../../http/http-error.ts";
import { addSheetBytes, changeRowsInTurns, type LockedSession } from "../sessions/session-changes.service.ts";
import type { SessionRow } from "../sessions/sessions.present.ts";
import type { Authorized } from "../sessions/sessions.service.ts";
import { demandRoom } from "./row-transactions.service.ts";
import { listWarnedPrices, setCosts, setNotes, setOffers } from "./row-edits.repo.ts";

/**
 * Changes the cost, the own offers, and the notes of rows of a session, whatever their status. The sheet's own cells stay
 * as uploaded. Returns the first 2,000 rows that changed; followers receive all of them. Skips rows of other sessions.
 *
 * @throws HttpError 400 if the cost or the offer is not an amount, 409 if the owner would exceed the quota
 */
export function editRows(
  context: Context,
  session: Authorized<SessionRow>,
  { rowIds, cost, offer, notes }: RowEdit,
): Promise<ResultRow[]> {
  const costs = cost === undefined ? null : costColumns(String(cost ?? "").trim());
  const ownOffer = offer === undefined ? undefined : offerColumn(String(offer ?? ""));
  return changeRowsInTurns(context.db, session.id, rowIds.map(Number), async (locked, some) => [
    ...new Set([
      ...(costs ? await writeCosts(locked, some, costs) : []),
      ...(ownOffer === undefined ? [] : await setOffers(locked, some, ownOffer)),
      ...(notes === undefined ? [] : await writeNotes(context, locked, some, notes)),
    ]),
  ]);
}

async function writeNotes(context: Context, locked: LockedSession, rowIds: readonly number[], notes: string) {
  const { ids, growth } = await setNotes(locked, rowIds, notes);
  if (growth > 0) await demandRoom(context, locked, growth);
  else await addSheetBytes(locked, growth);
  return ids;
}

type Costs = ReturnType<typeof costColumns>;

function costColumns(typed: string) {
  const problem = costProblem(typed);
  if (problem !== null) throw new HttpError(400, "bad_request", problem, { fields: { cost: problem } });
  const reading = parsePrice(typed);
  const price = reading.kind === "amount" ? reading.amount : null;
  return { price, price_text: typed, customer_price: customerPriceOf(price) };
}

function offerColumn(typed: string): number | null {
  const reading = parseOffer(typed);
  if (reading.problem === null) return reading.offer;
  throw new HttpError(400, "bad_request", reading.problem, { fields: { offer: reading.problem } });
}

async function writeCosts(locked: LockedSession, rowIds: readonly number[], costs: Costs): Promise<number[]> {
  const isMessage = (message: string | null) => message !== null;
  const before = (await listWarnedPrices(locked, rowIds)).map(priceMessage).filter(isMessage);
  const now = [priceMessage(costs.price_text)].filter(isMessage);
  return setCosts(locked, rowIds, costs, { before, now });
}
