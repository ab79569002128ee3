import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

/** Combines plugins into one. Each keeps its own content type parsers and hooks. */
export function registerAll(...plugins: readonly FastifyPluginAsyncZod[]): FastifyPluginAsyncZod {
  return async (app) => {
    for (const plugin of plugins) await app.register(plugin);
  };
}
