import type { z } from "zod";
import type {
  CardHistory,
  ColleagueLookUp,
  OwnLookUp,
  PlanLookupHistory,
  sessionLookupHistorySchema,
} from "@slabdesk/contract/api/lookup-history.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { Database } from "../../database/connection.ts";
import * as repo from "./lookup-history.repo.ts";
import type { RowRecord, SessionRecord } from "../sessions/sessions.present.ts";
import type { Authorized, Viewer } from "../sessions/sessions.service.ts";

export type LookupHistoryService = ReturnType<typeof createLookupHistoryService>;
export type RowLookupHistory = { own: OwnLookUp[]; colleagues: ColleagueLookUp[]; isTwiceOpen: boolean };

/** One cert of a sheet, and its lines. */
type ListedCard = { company: Company; certNumber: string; lines: readonly [number, ...number[]] };

const CARDS_LISTED = 100;
const LOOK_UPS_LISTED = 20;

/**
 * Reads who looked up a card before. A look-up is any row that found the card. Users see their own look-ups in full,
 * and only the name and date of other users'. Admins see everything. Rows of the requested session don't count.
 */
export function createLookupHistoryService(db: Database) {
  return {
    /** Returns the look-up history of a sheet's cards, which are in sheet order. */
    async ofSheet(viewer: Viewer, cards: readonly ListedCard[]): Promise<PlanLookupHistory> {
      const { cards: found, ...counts } = await repo.rememberCards(db, remembering(viewer), cards, CARDS_LISTED);
      const listed = found.flatMap((record) => {
        const card = cards[record.index];
        if (!card) return [];
        const { lines, company: gradingCompany, certNumber } = card;
        return [{ ...presentLookupHistory(viewer, record), line: lines[0], gradingCompany, certNumber }];
      });
      return { ...counts, cards: listed };
    },

    /** Returns those of `limit` rows after row `cursor` whose cards have a look-up history. */
    async ofSession(
      viewer: Viewer,
      session: Authorized<SessionRecord>,
      page: { cursor: number; limit: number },
    ): Promise<z.infer<typeof sessionLookupHistorySchema>> {
      const found = await repo.rememberRows(db, remembering(viewer), { sessionId: session.id, ...page });
      return {
        rows: found.rows.map((record) => ({ ...presentLookupHistory(viewer, record), id: String(record.row_id) })),
        nextCursor: found.nextCursor === null ? null : String(found.nextCursor),
      };
    },

    /** Returns a row's look-up history in other sessions: the newest 20 of each kind, newest first. */
    async lookupHistoryOf(viewer: Viewer, row: Authorized<RowRecord>): Promise<RowLookupHistory> {
      if (row.outcome === "invalid_row" || row.outcome === "invalid_number")
        return { own: [], colleagues: [], isTwiceOpen: false };
      const { own, colleagues, isTwiceOpen } = await repo.rememberCard(
        db,
        remembering(viewer),
        { company: row.grading_company, certNumber: row.cert_number },
        { besidesSession: row.session_id, limit: LOOK_UPS_LISTED },
      );
      return {
        own: own.map((record) => presentLookUp(viewer, record)),
        colleagues: colleagues.map(({ by, at }) => ({ by, at: dayOf(at) })),
        isTwiceOpen,
      };
    },
  };
}

function remembering({ id, role }: Viewer): repo.Remembering {
  return { userId: id, seesAll: role === "admin" };
}

function presentLookupHistory(viewer: Viewer, record: repo.LookupHistoryRecord): CardHistory {
  const { colleague_by: by, colleague_at: at } = record;
  return {
    own: record.id === null ? null : presentLookUp(viewer, record),
    colleague: by === null || at === null ? null : { by, at: dayOf(at) },
    isTwiceOpen: record.is_twice_open,
  };
}

function presentLookUp(viewer: Viewer, record: repo.LookUpRecord): OwnLookUp {
  return {
    resultId: String(record.id),
    sessionId: record.session_id,
    sessionName: record.session_name,
    line: record.line,
    at: record.at.toISOString(),
    source: record.value_source,
    valueThen: record.value_then,
    valueNow: record.value_now,
    ...(record.user_id !== viewer.id && { owner: record.full_name }),
  };
}

/**
 * Returns noon UTC of that day, which is the same date in almost every time zone. Hides the exact time of another
 * user's look-up.
 */
export function dayOf(at: Date): string {
  return `${at.toISOString().slice(0, 10)}T12:00:00.000Z`;
}
