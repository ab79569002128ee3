import fastifyStatic from "@fastify/static";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { anyone } from "./guards.ts";

/** Serves the built browser part. Files under assets/ carry a hash in their name; all else is asked for again. */
export function webFiles(folder: string): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook("onRoute", (route) => {
      route.onRequest = [anyone];
    });
    await app.register(fastifyStatic, {
      root: folder,
      schemaHide: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const hashed = /[\\/]assets[\\/]/.test(path);
        void reply.header("cache-control", hashed ? "public, max-age=31536000, immutable" : "no-cache");
      },
    });
  };
}
