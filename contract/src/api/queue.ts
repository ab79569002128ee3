import { z } from "zod";
import { storableText } from "../certs/text.ts";
import { DEFAULT_MODE, modeSchema } from "./cards.ts";
import { resultRowSchema } from "./results.ts";
import { oneCertNumberSchema } from "./typed-text.ts";

export const retryPsaSchema = z.object({
  certNumber: oneCertNumberSchema,
  price: z.union([z.string().max(200).overwrite(storableText), z.number()]).nullish(),
  notes: z.string().max(32_767).overwrite(storableText).nullish(),
  apiMode: modeSchema.default(DEFAULT_MODE),
});

/** `jobId` is the row's id, so the status of any row can be requested. */
export const queuedJobSchema = z.object({ jobId: z.string() });

/** `completed` has the row in `result`; `failed` has a message in `error`. All other statuses are transient. */
export const queueJobSchema = z.object({
  jobId: z.string(),
  status: z.enum(["queued", "processing", "waiting", "pending", "completed", "failed"]),
  result: resultRowSchema.nullable(),
  error: z.string().nullable(),
});
export type QueueJob = z.infer<typeof queueJobSchema>;
