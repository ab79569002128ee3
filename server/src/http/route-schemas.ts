import { z } from "zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { storableText } from "@slabdesk/contract/certs/text.ts";
import { signedIn } from "./guards.ts";

/** The error answers that every route can give. */
export const errors = { "4xx": errorBodySchema, "5xx": errorBodySchema };

/** An id in a path. It can be any text, so a query with it must not fail. */
export const pathId = z.string().max(100).overwrite(storableText);

/** The parameters of a path with one id. */
export const byId = z.object({ id: pathId });

/** The options of a route for signed-in users that answers 200 with `answer`. */
export function signedInRoute<Answer extends z.ZodType, Schema extends object>(answer: Answer, schema: Schema) {
  return { onRequest: [signedIn], schema: { ...schema, response: { 200: answer, ...errors } } };
}

/** The options of a route on the session in the path, as `signedInRoute`. */
export function onSession<Answer extends z.ZodType, Schema extends { summary: string }>(
  answer: Answer,
  schema: Schema,
) {
  return signedInRoute(answer, { tags: ["scan sessions"], params: byId, ...schema });
}

/** The options of a route on the row in the path, as `signedInRoute`. */
export function onRow<Answer extends z.ZodType, Schema extends { summary: string }>(answer: Answer, schema: Schema) {
  return signedInRoute(answer, { tags: ["scan results"], params: byId, ...schema });
}
