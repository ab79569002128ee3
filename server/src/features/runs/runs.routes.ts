import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { queuedJobSchema, queueJobSchema, retryPsaSchema } from "@slabdesk/contract/api/queue.ts";
import { changedRowsSchema, resultRowSchema, rowChangeSchema, rowEditSchema } from "@slabdesk/contract/api/results.ts";
import {
  addedRowsSchema,
  companiesRequestSchema,
  removedRowsSchema,
  retryRequestSchema,
  scanSessionSchema,
  sendWaitingSchema,
} from "@slabdesk/contract/api/sessions.ts";
import type { App } from "../../http/app-instance.ts";
import { LARGEST_ADDITION_BYTES, LARGEST_SELECTION_BYTES, LARGEST_TEXT_BYTES } from "../../http/body-limits.ts";
import { refuseCrossSite, signedIn, viewerOf } from "../../http/guards.ts";
import { HttpError } from "../../http/http-error.ts";
import { onRow, onSession, pathId, signedInRoute } from "../../http/route-schemas.ts";
import type { SessionsService } from "../sessions/sessions.service.ts";
import type { AddedRowsService } from "./added-rows.service.ts";
import type { RowEditsService } from "./row-edits.service.ts";
import type { RunsService } from "./runs.service.ts";
import type { RetryQueueService } from "./retry-queue.service.ts";

export type RunsRoutesParts = {
  sessions: SessionsService;
  runs: RunsService;
  addedRows: AddedRowsService;
  rowEdits: RowEditsService;
  retryQueue: RetryQueueService;
};

export function runsRoutes(parts: RunsRoutesParts): FastifyPluginAsyncZod {
  return async (app) => {
    addStops(app, parts);
    addReruns(app, parts);
    addRowChanges(app, parts);
    addRetryQueue(app, parts);
  };
}

type RequestById = FastifyRequest & { params: { id: string } };

function sessionOf({ sessions }: RunsRoutesParts, request: RequestById) {
  return sessions.authorize(viewerOf(request), request.params.id);
}

function rowOf({ sessions }: RunsRoutesParts, request: RequestById) {
  return sessions.authorizeRow(viewerOf(request), request.params.id);
}

function addStops(app: App, parts: RunsRoutesParts): void {
  const { runs } = parts;
  const tags = ["scan sessions"];
  app.post(
    "/api/scan-sessions/:id/stop",
    onSession(scanSessionSchema, {
      summary: "Stop a session. The lookup in progress ends; the other rows stay pending",
    }),
    async (request) => runs.stop(viewerOf(request), await sessionOf(parts, request)),
  );

  app.get(
    "/api/stop",
    {
      ...signedInRoute(z.object({ stopped: z.number().int() }), {
        tags,
        summary: "Stop all of your running sessions",
      }),
      onRequest: [signedIn, refuseCrossSite],
    },
    async (request) => ({ stopped: await runs.stopAll(viewerOf(request)) }),
  );

  app.get(
    "/api/reset-stop",
    {
      ...signedInRoute(z.object({ stopped: z.literal(0) }), {
        tags,
        summary: "Always return `stopped: 0`. A stop applies to one session, so there is nothing to reset",
      }),
      onRequest: [signedIn, refuseCrossSite],
    },
    async () => ({ stopped: 0 as const }),
  );
}

/** All are idempotent. */
function addReruns(app: App, parts: RunsRoutesParts): void {
  const { runs } = parts;
  app.post(
    "/api/scan-sessions/:id/resume",
    onSession(scanSessionSchema, { summary: "Resume a stopped session" }),
    async (request) => runs.resume(viewerOf(request), await sessionOf(parts, request)),
  );

  app.post(
    "/api/scan-sessions/:id/retry",
    {
      ...onSession(scanSessionSchema, {
        summary: "Look up failed rows again: those with an outcome, the given rows, or all with a retryable outcome",
        body: retryRequestSchema,
      }),
      bodyLimit: LARGEST_SELECTION_BYTES,
    },
    async (request) => {
      const { outcome, rowId, rowIds = rowId === undefined ? undefined : [rowId] } = request.body ?? {};
      const chosen = { outcome, rowIds: rowIds?.map(Number).filter(Number.isSafeInteger) };
      return runs.retry(viewerOf(request), await sessionOf(parts, request), chosen);
    },
  );

  app.post(
    "/api/scan-sessions/:id/waiting",
    onSession(scanSessionSchema, {
      summary: "Look up rows that wait for PSA's API through web scraping instead",
      body: sendWaitingSchema,
    }),
    async (request) => runs.scrapeWaiting(await sessionOf(parts, request)),
  );

  app.post(
    "/api/scan-sessions/:id/companies",
    {
      ...onSession(scanSessionSchema, {
        summary:
          "Look up failed rows at the company that their number names, if the sheet names none or another, or the given rows at `company`. Skips numbers that can't be that company's",
        body: companiesRequestSchema,
      }),
      bodyLimit: LARGEST_SELECTION_BYTES,
    },
    async (request) => {
      const { rowIds, company } = request.body ?? {};
      const chosen = { rowIds: rowIds?.map(Number), company };
      return runs.changeCompanies(viewerOf(request), await sessionOf(parts, request), chosen);
    },
  );

  app.patch(
    "/api/scan-results/:id",
    onRow(resultRowSchema, { summary: "Correct a failed row's cert number and look it up", body: rowChangeSchema }),
    async (request) => runs.changeNumber(await rowOf(parts, request), request.body),
  );
}

function addRowChanges(app: App, parts: RunsRoutesParts): void {
  const { addedRows, rowEdits } = parts;
  app.post(
    "/api/scan-sessions/:id/rows",
    {
      ...onSession(scanSessionSchema, {
        summary: "Add rows to a session and run them. Lines that are already stored are skipped",
        body: addedRowsSchema,
      }),
      bodyLimit: LARGEST_ADDITION_BYTES,
    },
    async (request) => addedRows.add(await sessionOf(parts, request), request.body.rows),
  );

  app.post(
    "/api/scan-sessions/:id/remove",
    {
      ...onSession(scanSessionSchema, { summary: "Delete rows from a session", body: removedRowsSchema }),
      bodyLimit: LARGEST_SELECTION_BYTES,
    },
    async (request) => addedRows.removeAll(await sessionOf(parts, request), request.body.rowIds.map(Number)),
  );

  app.patch(
    "/api/scan-sessions/:id/rows",
    {
      ...onSession(changedRowsSchema, {
        summary: "Change the cost, the own offers, or the notes of rows. Returns the first 2,000 rows that changed",
        body: rowEditSchema,
      }),
      bodyLimit: LARGEST_SELECTION_BYTES,
    },
    async (request) => ({ results: await rowEdits.edit(await sessionOf(parts, request), request.body) }),
  );

  app.delete(
    "/api/scan-results/:id",
    onRow(scanSessionSchema, { summary: "Delete a row from its session" }),
    async (request) => addedRows.remove(await rowOf(parts, request)),
  );
}

function addRetryQueue(app: App, { sessions, retryQueue }: RunsRoutesParts): void {
  const tags = ["queue"];
  app.post(
    "/api/queue/retry-psa",
    {
      ...signedInRoute(queuedJobSchema, {
        tags,
        summary: "Queue one PSA card and retry it while PSA times out. The card is saved to your history",
        body: retryPsaSchema,
      }),
      bodyLimit: LARGEST_TEXT_BYTES,
    },
    async (request) => retryQueue.retryPsa(viewerOf(request), request.body),
  );

  app.get(
    "/api/queue/status/:jobId",
    signedInRoute(queueJobSchema, {
      tags,
      summary: "Get the status of a queued card",
      params: z.object({ jobId: pathId }),
    }),
    async (request) => retryQueue.status(await findJob(sessions, request, request.params.jobId)),
  );
}

async function findJob(sessions: SessionsService, request: FastifyRequest, jobId: string) {
  try {
    return await sessions.authorizeRow(viewerOf(request), jobId);
  } catch (cause) {
    if (!(cause instanceof HttpError) || cause.status !== 404) throw cause;
    throw new HttpError(404, "no_such_thing", "Failed to get job status: there is no such job", { cause });
  }
}
