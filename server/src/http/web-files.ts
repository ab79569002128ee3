import fastifyStatic from "@fastify/static";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { anyone } from "./guards.ts";

/** Serves the built web app. Files under assets/ have a hash in their name; browsers revalidate all others. */
export function webFiles(folder: string): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook("onRoute", (route) => {
      route.onRequest = [anyone];
    });
    await app.register(fastifyStatic, {
      root: folder,
      schemaHide: true,
      cacheControl: false,
      // The build makes a Brotli and a gzip copy of each file.
      preCompressed: true,
      setHeaders: (reply, path) => {
        const hashed = /[\\/]assets[\\/]/.test(path);
        void reply.header("cache-control", hashed ? "public, max-age=31536000, immutable" : "no-cache");
      },
    });
  };
}
