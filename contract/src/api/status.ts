import { z } from "zod";
import { priceSourceSchema } from "./prices.ts";

export const statusSchema = z.object({
  status: z.literal("online"),
  environment: z.string(),
  version: z.string(),
  upstreams: z.enum(["demo", "live"]),
  scraping: z.enum(["on", "off"]),
  /** Other machines reach the server without https, as far as its settings say. */
  isUnencrypted: z.boolean(),
  priceSources: z.array(priceSourceSchema),
});
export type Status = z.infer<typeof statusSchema>;
