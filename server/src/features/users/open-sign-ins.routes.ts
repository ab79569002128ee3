import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { signInListSchema } from "@slabdesk/contract/api/people.ts";
import { storableText } from "@slabdesk/contract/sheet/text.ts";
import type { App } from "../../http/app-instance.ts";
import { admin, signedIn, signInOf, viewerOf } from "../../http/guards.ts";
import type { OpenSignInsService, SignInsQuestion } from "./open-sign-ins.service.ts";

const errors = { "4xx": errorBodySchema, "5xx": errorBodySchema };
const tags = ["users"];
const response = { 200: signInListSchema, ...errors };
const byId = z.object({ id: z.string().max(100).overwrite(storableText) });
const bySignIn = z.object({ signInId: z.string().max(100).overwrite(storableText) });

/** Where people are signed in: one's own, and for administrators anybody's. */
export function openSignInsRoutes(signIns: OpenSignInsService): FastifyPluginAsyncZod {
  return async (app) => {
    addOwn(app, signIns);
    addAnybodys(app, signIns);
  };
}

function addOwn(app: App, signIns: OpenSignInsService): void {
  const onRequest = [signedIn];
  app.get(
    "/api/account/sign-ins",
    { onRequest, schema: { tags, summary: "Where you are signed in", response } },
    async (request) => signIns.list(own(request)),
  );
  app.delete(
    "/api/account/sign-ins",
    { onRequest, schema: { tags, summary: "Sign out everywhere but here; answers what is left", response } },
    async (request) => signIns.endAll(own(request)),
  );
  app.delete(
    "/api/account/sign-ins/:signInId",
    {
      onRequest,
      schema: { tags, summary: "Sign out in one other place; answers what is left", params: bySignIn, response },
    },
    async (request) => signIns.end(own(request), request.params.signInId),
  );
}

function addAnybodys(app: App, signIns: OpenSignInsService): void {
  const onRequest = [admin];
  app.get(
    "/api/admin/users/:id/sign-ins",
    { onRequest, schema: { tags, summary: "Where somebody is signed in", params: byId, response } },
    async (request) => signIns.list(of(request, request.params.id)),
  );
  app.delete(
    "/api/admin/users/:id/sign-ins",
    {
      onRequest,
      schema: { tags, summary: "Sign somebody out everywhere, yourself everywhere but here", params: byId, response },
    },
    async (request) => signIns.endAll(of(request, request.params.id)),
  );
  app.delete(
    "/api/admin/users/:id/sign-ins/:signInId",
    {
      onRequest,
      schema: { tags, summary: "Sign somebody out in one place", params: byId.extend(bySignIn.shape), response },
    },
    async (request) => signIns.end(of(request, request.params.id), request.params.signInId),
  );
}

const own = (request: FastifyRequest): SignInsQuestion => of(request, viewerOf(request).id);

function of(request: FastifyRequest, userId: string): SignInsQuestion {
  return { viewer: viewerOf(request), signInId: signInOf(request), userId };
}
