import type { FastifySchema, RouteShorthandOptions } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { storableText } from "@slabdesk/contract/certs/text.ts";
import { LARGEST_SELECTION_BYTES } from "./body-limits.ts";
import { signedIn, type Guard } from "./guards.ts";

export const errors = { "4xx": errorBodySchema, "5xx": errorBodySchema };

/** An id in a path. It can be any text, so a query with it must not fail. */
export const pathId = z.string().max(100).overwrite(storableText);

export const byId = z.object({ id: pathId });

/** A route's documentation and request schemas, and the `options` of Fastify that it needs besides. */
type Description = FastifySchema & { options?: RouteShorthandOptions };

/** Describes a route: who may call it, the schema of its 200 answer, and the rest. */
function route<A extends z.ZodType, S extends Description>(guard: Guard, answer: A, { options, ...schema }: S) {
  return { onRequest: [guard], ...options, schema: { ...schema, response: { 200: answer, ...errors } } };
}

export function routeTagged(tags: readonly string[]) {
  return <A extends z.ZodType, S extends Description>(guard: Guard, answer: A, schema: S) =>
    route(guard, answer, { tags, ...schema });
}

/** Like `route`, with the status 201. */
export function creatingRoute<A extends z.ZodType, S extends FastifySchema>(guard: Guard, answer: A, schema: S) {
  return { onRequest: [guard], schema: { ...schema, response: { 201: answer, ...errors } } };
}

export function signedInRoute<A extends z.ZodType, S extends Description>(answer: A, schema: S) {
  return route(signedIn, answer, schema);
}

/** A route for signed-in users on the session in the path. */
export function onSession<A extends z.ZodType, S extends Description>(answer: A, schema: S) {
  return signedInRoute(answer, { tags: ["scan sessions"], params: byId, ...schema });
}

/** A route for signed-in users on selected rows of the session in the path. */
export function onSelection<A extends z.ZodType, S extends Description>(answer: A, schema: S) {
  return onSession(answer, { options: { bodyLimit: LARGEST_SELECTION_BYTES }, ...schema });
}

/** A route for signed-in users on the row in the path. */
export function onRow<A extends z.ZodType, S extends Description>(answer: A, schema: S) {
  return signedInRoute(answer, { tags: ["scan results"], params: byId, ...schema });
}

/** For routes with many rows: the schema would take longer than all else, and `presentRow` names their fields. */
export const unparsedAnswer = { serializerCompiler: () => (answer: unknown) => JSON.stringify(answer) };

/** Combines plugins into one. Each keeps its own content type parsers and hooks. */
export function registerAll(...plugins: readonly FastifyPluginAsyncZod[]): FastifyPluginAsyncZod {
  return async (app) => {
    for (const plugin of plugins) await app.register(plugin);
  };
}
