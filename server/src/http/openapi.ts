import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { RouteHandlerMethod } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { z } from "zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { anyone, type App, guardOf } from "./guards.ts";

const SECURITY = { anyone: [], "signed in": [{ cookie: [] }, { bearer: [] }], admin: [{ cookie: [] }, { bearer: [] }] };

export const DOCS_PATH = "/api/docs";

/** Serves the OpenAPI 3.1 document at /api/openapi.json and its viewer at /api/docs. */
export async function describeApi(app: App, version: string): Promise<void> {
  if (!z.globalRegistry.has(errorBodySchema)) z.globalRegistry.add(errorBodySchema, { id: "Error" });
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Slabdesk", description: "Bulk lookup of graded trading-card certificates", version },
      components: {
        securitySchemes: {
          cookie: { type: "apiKey", in: "cookie", name: "slabdesk.session_token" },
          bearer: { type: "http", scheme: "bearer" },
        },
      },
    },
    transformObject: jsonSchemaTransformObject,
    transform: (input) => {
      const { schema, url } = jsonSchemaTransform(input);
      const who = guardOf(input.route);
      return { url, schema: { ...schema, ...(who && { security: SECURITY[who], description: `Access: ${who}.` }) } };
    },
  });
  // Made once and sent uncompressed, because anyone may ask for it.
  let document: string | undefined;
  const sendDocument: RouteHandlerMethod = async (_request, reply) =>
    reply.type("application/json").send((document ??= JSON.stringify(app.swagger())));
  app.get(
    "/api/openapi.json",
    { onRequest: [anyone], compress: false, schema: { tags: ["documentation"], summary: "Retrieve this document" } },
    sendDocument,
  );
  await app.register(async (docs) => {
    docs.addHook("onRoute", (route) => {
      route.onRequest = [anyone];
      if (route.url === `${DOCS_PATH}/json`) route.handler = sendDocument;
    });
    await docs.register(swaggerUi, { routePrefix: DOCS_PATH });
  });
}
