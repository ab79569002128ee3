import type { Context } from "../../context.ts";
import { exportsRoutes } from "./exports.routes.ts";
import { createExportsService, type ExportsParts } from "./exports.service.ts";

type Others = Pick<ExportsParts, "images" | "exportedPhotos">;

export function exportsFeature({ sessions, activity, log, now }: Context, others: Others) {
  const warn: ExportsParts["warn"] = (details, message) => log.warn(details, message);
  return { plugin: exportsRoutes(createExportsService({ ...others, sessions, activity, warn, now })) };
}
