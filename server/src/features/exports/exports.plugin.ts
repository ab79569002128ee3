import type { Context } from "../../context.ts";
import { getHeader } from "../sessions/sessions.service.ts";
import { exportsRoutes } from "./exports.routes.ts";
import { createExportsService, type ExportsParts } from "./exports.service.ts";

type Others = Pick<ExportsParts, "images" | "exportedPhotos">;

export function exportsFeature({ db, sessions, activity, log, now }: Context, others: Others) {
  const warn: ExportsParts["warn"] = (details, message) => log.warn(details, message);
  const headerOf = (sessionId: string) => getHeader(db, sessionId);
  return { plugin: exportsRoutes(createExportsService({ ...others, sessions, headerOf, activity, warn, now })) };
}
