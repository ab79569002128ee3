import { z } from "zod";

export const statusSchema = z.object({
  status: z.literal("online"),
  environment: z.string(),
  version: z.string(),
  upstreams: z.enum(["demo", "live"]),
  scraping: z.enum(["on", "off"]),
});
export type Status = z.infer<typeof statusSchema>;
