import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import * as resultsApi from "@slabdesk/contract/api/results.ts";
import * as sessionsApi from "@slabdesk/contract/api/sessions.ts";
import { LARGEST_ADDITION_BYTES, LARGEST_TEXT_BYTES } from "../../http/body-limits.ts";
import { type App, refuseCrossSite, signedIn, signedInTo, viewerOf } from "../../http/guards.ts";
import { conflict, HttpError } from "../../http/http-error.ts";
import { errors, onRow, onSelection, onSession, pathId, signedInRoute } from "../../http/route-schemas.ts";
import { removeEntry, saveEntry } from "./entries.service.ts";
import { retryPsa, statusOfRetry } from "./retry-queue.service.ts";
import { addRows, editRows, removeRow, removeRows } from "./row-changes.service.ts";
import type { RunContext } from "./row-transactions.service.ts";
import * as runs from "./runs.service.ts";
import { createRun } from "./uploads.service.ts";

export function uploadsRoutes(context: RunContext): FastifyPluginAsyncZod {
  const { sheets } = context;
  return async (app) => {
    sheets.accept(app, ["application/json", "text/csv"]);
    app.post(
      "/api/scan-sessions",
      {
        ...sheets.route(signedInTo("Authentication required. Please login to process cards."), "session"),
        schema: {
          tags: ["scan sessions"],
          summary: "Upload a sheet and start its run (application/json, or text/csv with options in the query)",
          headers: z.object({
            "idempotency-key": z.string().min(1).max(200).optional(),
            "user-id": z.string().max(100).optional(),
          }),
          body: sessionsApi.newScanSessionSchema,
          response: { 200: sessionsApi.scanSessionSchema, 201: sessionsApi.scanSessionSchema, ...errors },
        },
      },
      async (request, reply) => {
        const { "idempotency-key": key = null, "user-id": userId } = request.headers;
        const viewer = viewerOf(request);
        // Another tab may have signed in a different user, who would own the session.
        if (userId !== undefined && userId !== viewer.id) throw conflict(sessionsApi.OTHER_USER_MESSAGE);
        const { session, created } = await createRun(context, viewer, request.body, key);
        return reply.code(created ? 201 : 200).send(session);
      },
    );
  };
}

export function addedRowsRoutes(context: RunContext): FastifyPluginAsyncZod {
  const { sheets } = context;
  return async (app) => {
    sheets.accept(app, ["application/json"]);
    app.post(
      "/api/scan-sessions/:id/rows",
      onSession(sessionsApi.scanSessionSchema, {
        summary: "Add rows to a session and run them. Lines that are already stored are skipped",
        body: sessionsApi.addedRowsSchema,
        options: { ...sheets.route(signedIn, "rows"), bodyLimit: LARGEST_ADDITION_BYTES },
      }),
      async (request) => addRows(context, await sessionOf(context, request), request.body.rows),
    );
  };
}

export function runsRoutes(context: RunContext): FastifyPluginAsyncZod {
  return async (app) => {
    addStops(app, context);
    addReruns(app, context);
    addRowChanges(app, context);
    addEntries(app, context);
    addRetryQueue(app, context);
  };
}

type RequestById = FastifyRequest & { params: { id: string } };

function sessionOf({ sessions }: RunContext, request: RequestById) {
  return sessions.open(viewerOf(request), request.params.id);
}

function rowOf({ sessions }: RunContext, request: RequestById) {
  return sessions.authorizeRow(viewerOf(request), request.params.id);
}

function addStops(app: App, context: RunContext): void {
  const tags = ["scan sessions"];
  app.post(
    "/api/scan-sessions/:id/stop",
    onSession(sessionsApi.scanSessionSchema, { summary: "Stop a session. Lookups in progress end" }),
    async (request) => runs.stopSession(context, viewerOf(request), await sessionOf(context, request)),
  );

  app.get(
    "/api/stop",
    signedInRoute(z.object({ stopped: z.number().int() }), {
      tags,
      summary: "Stop all of your running sessions",
      options: { onRequest: [signedIn, refuseCrossSite], config: { isChange: true } },
    }),
    async (request) => ({ stopped: await runs.stopAll(context, viewerOf(request)) }),
  );

  app.get(
    "/api/reset-stop",
    signedInRoute(z.object({ stopped: z.literal(0) }), {
      tags,
      summary: "Always return `stopped: 0`. A stop applies to one session, so there is nothing to reset",
      options: { onRequest: [signedIn, refuseCrossSite] },
    }),
    async () => ({ stopped: 0 as const }),
  );
}

/** All are idempotent. */
function addReruns(app: App, context: RunContext): void {
  app.post(
    "/api/scan-sessions/:id/resume",
    onSession(sessionsApi.scanSessionSchema, { summary: "Resume a stopped session" }),
    async (request) => runs.resumeSession(context, viewerOf(request), await sessionOf(context, request)),
  );

  app.post(
    "/api/scan-sessions/:id/retry",
    onSelection(sessionsApi.scanSessionSchema, {
      summary: "Look up failed rows again: those with an outcome, the given rows, or all with a retryable outcome",
      body: sessionsApi.retryRequestSchema,
    }),
    async (request) => {
      const { outcome, rowId, rowIds = rowId === undefined ? undefined : [rowId] } = request.body ?? {};
      const chosen = { outcome, rowIds: rowIds?.map(Number).filter(Number.isSafeInteger) };
      return runs.retryRows(context, viewerOf(request), await sessionOf(context, request), chosen);
    },
  );

  app.post(
    "/api/scan-sessions/:id/waiting",
    onSession(sessionsApi.scanSessionSchema, {
      summary: "Look up rows that wait for PSA's API through web scraping instead",
      body: sessionsApi.sendWaitingSchema,
    }),
    async (request) => runs.scrapeWaiting(context, await sessionOf(context, request)),
  );

  app.post(
    "/api/scan-sessions/:id/companies",
    onSelection(sessionsApi.scanSessionSchema, {
      summary:
        "Look up failed rows under their suggested company, or the given rows under `company`. Skips numbers that can't be that company's",
      body: sessionsApi.companiesRequestSchema,
    }),
    async (request) => {
      const { rowIds, company } = request.body ?? {};
      const chosen = { rowIds: rowIds?.map(Number), company };
      return runs.changeCompanies(context, viewerOf(request), await sessionOf(context, request), chosen);
    },
  );

  app.patch(
    "/api/scan-results/:id",
    onRow(resultsApi.resultRowSchema, {
      summary: "Correct a failed row's cert number and look it up",
      body: resultsApi.rowChangeSchema,
    }),
    async (request) => runs.changeNumber(context, await rowOf(context, request), request.body),
  );
}

function addRowChanges(app: App, context: RunContext): void {
  app.post(
    "/api/scan-sessions/:id/remove",
    onSelection(sessionsApi.scanSessionSchema, {
      summary: "Delete rows from a session",
      body: sessionsApi.removedRowsSchema,
    }),
    async (request) => removeRows(context, await sessionOf(context, request), request.body.rowIds.map(Number)),
  );

  app.patch(
    "/api/scan-sessions/:id/rows",
    onSelection(resultsApi.changedRowsSchema, {
      summary: "Change the cost, the own offers, or the notes of rows. Returns the first 2,000 rows that changed",
      body: resultsApi.rowEditSchema,
    }),
    async (request) => {
      const session = await sessionOf(context, request);
      return { results: await editRows(context, viewerOf(request), session, request.body) };
    },
  );

  app.delete(
    "/api/scan-results/:id",
    onRow(sessionsApi.scanSessionSchema, { summary: "Delete a row from its session" }),
    async (request) => removeRow(context, await rowOf(context, request)),
  );
}

function addEntries(app: App, context: RunContext): void {
  app.put(
    "/api/scan-results/:id/entry",
    onRow(resultsApi.resultRowSchema, {
      summary:
        "Enter a card by hand for a row that failed, waits or has no name, or change such an entry. The session's other rows of the card take it too",
      body: resultsApi.entryCardSchema,
    }),
    async (request) => saveEntry(context, viewerOf(request), await rowOf(context, request), request.body),
  );

  app.delete(
    "/api/scan-results/:id/entry",
    onRow(resultsApi.resultRowSchema, { summary: "Remove a card entered by hand. The row fails as it did before" }),
    async (request) => removeEntry(context, viewerOf(request), await rowOf(context, request)),
  );
}

function addRetryQueue(app: App, context: RunContext): void {
  const tags = ["queue"];
  app.post(
    "/api/queue/retry-psa",
    signedInRoute(resultsApi.queuedJobSchema, {
      tags,
      summary: "Queue one PSA card and retry it while PSA times out. The card is saved to your history",
      body: resultsApi.retryPsaSchema,
      options: { bodyLimit: LARGEST_TEXT_BYTES },
    }),
    async (request) => retryPsa(context, viewerOf(request), request.body),
  );

  app.get(
    "/api/queue/status/:jobId",
    signedInRoute(resultsApi.queueJobSchema, {
      tags,
      summary: "Get the status of a queued card",
      params: z.object({ jobId: pathId }),
    }),
    async (request) => statusOfRetry(await findJob(context, request, request.params.jobId)),
  );
}

async function findJob({ sessions }: RunContext, request: FastifyRequest, jobId: string) {
  try {
    return await sessions.authorizeRow(viewerOf(request), jobId);
  } catch (cause) {
    if (!(cause instanceof HttpError) || cause.status !== 404) throw cause;
    throw new HttpError(404, "no_such_thing", "Failed to get job status: there is no such job", { cause });
  }
}
