import type { Context } from "../../context.ts";
import { exportsRoutes } from "./exports.routes.ts";
import type { ExportsContext } from "./exports.service.ts";

export function exportsFeature(context: Context, { images }: Pick<ExportsContext, "images">) {
  return { plugin: exportsRoutes({ ...context, images }) };
}
