import { z } from "zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { storableText } from "@slabdesk/contract/certs/text.ts";

export const errors = { "4xx": errorBodySchema, "5xx": errorBodySchema };

/** An id in a path. It can be any text, so a query with it must not fail. */
export const pathId = z.string().max(100).overwrite(storableText);

export const byId = z.object({ id: pathId });
