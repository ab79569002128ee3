import type { Context } from "../../context.ts";
import { exportsRoutes } from "./exports.routes.ts";
import { createExportsService, type ExportsContext } from "./exports.service.ts";

export function exportsFeature(context: Context, { images }: Pick<ExportsContext, "images">) {
  return { plugin: exportsRoutes(createExportsService({ ...context, images })) };
}
