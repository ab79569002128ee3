import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { jsonAnswer, retryAfter, tear, type Answer } from "../endpoints/answer.ts";
import { answerCall, refuseCall, type House, type Voice } from "../endpoints/endpoint.ts";
import {
  CARDLADDER_EMAIL,
  CARDLADDER_PASSWORD,
  CARDLADDER_WEB_KEY,
  TOKEN_LIFE_S,
  type Logins,
  type Tokens,
} from "./logins.ts";

type Keyed = { Querystring: { key?: string } };

/** Google's password sign-in and token service, as used by CardLadder's front end. */
export function addCardladderSignIn(app: FastifyInstance, house: House, logins: Logins): void {
  // In the router's syntax, a doubled colon is a literal colon.
  app.post<Keyed>("/cardladder-auth/v1/accounts::signInWithPassword", async (request, reply) => {
    if (!isRightLogin(request)) return refuse(house, problem("INVALID_LOGIN_CREDENTIALS"), request, reply);
    const voice = voiceOf(() => signedIn(request, logins), "INVALID_LOGIN_CREDENTIALS");
    return answer(house, voice, request, reply);
  });
  // Registered in its own scope, because only this route accepts forms.
  void app.register((scope, _options, done) => {
    scope.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, parsed) => {
      parsed(null, new URLSearchParams(String(body)));
    });
    scope.post<Keyed>("/cardladder-token/v1/token", async (request, reply) => {
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      const wrong = wrongWithForm(request, form);
      if (wrong !== null) return refuse(house, problem(wrong), request, reply);
      const found = (): Answer => refreshed(logins.refresh(form.get("refresh_token") ?? ""));
      return answer(house, voiceOf(found, "TOKEN_EXPIRED"), request, reply);
    });
    done();
  });
}

function isRightLogin(request: FastifyRequest<Keyed>): boolean {
  const { body } = request;
  return (
    request.query.key === CARDLADDER_WEB_KEY &&
    typeof body === "object" &&
    body !== null &&
    "email" in body &&
    body.email === CARDLADDER_EMAIL &&
    "password" in body &&
    body.password === CARDLADDER_PASSWORD
  );
}

/** Without `returnSecureToken`, the response has no tokens. */
function signedIn({ body }: FastifyRequest, logins: Logins): Answer {
  const wantsTokens =
    typeof body === "object" && body !== null && "returnSecureToken" in body && body.returnSecureToken === true;
  const tokens = wantsTokens ? { ...logins.open(), expiresIn: String(TOKEN_LIFE_S) } : {};
  return jsonAnswer(200, {
    kind: "identitytoolkit#VerifyPasswordResponse",
    localId: "simulator-user",
    email: CARDLADDER_EMAIL,
    displayName: "",
    registered: true,
    ...tokens,
  });
}

function wrongWithForm(request: FastifyRequest<Keyed>, form: URLSearchParams): string | null {
  if (request.query.key !== CARDLADDER_WEB_KEY) return "API key not valid. Please pass a valid API key.";
  if (form.get("grant_type") !== "refresh_token") return "INVALID_GRANT_TYPE";
  return form.has("refresh_token") ? null : "MISSING_REFRESH_TOKEN";
}

/** The token service uses snake case; the sign-in uses camel case. */
function refreshed(tokens: Tokens | null): Answer {
  if (!tokens) return problem("INVALID_REFRESH_TOKEN");
  return jsonAnswer(200, {
    access_token: tokens.idToken,
    expires_in: String(TOKEN_LIFE_S),
    token_type: "Bearer",
    refresh_token: tokens.refreshToken,
    id_token: tokens.idToken,
    user_id: "simulator-user",
  });
}

function problem(message: string): Answer {
  const errors = [{ message, domain: "global", reason: "invalid" }];
  return jsonAnswer(400, { error: { code: 400, message, errors } });
}

function voiceOf(found: () => Answer, refusal: string): Voice {
  return {
    found,
    notFound: () => jsonAnswer(404, { error: { code: 404, message: "NOT_FOUND" } }),
    quota: (retryAfterS) => ({ ...problem("TOO_MANY_ATTEMPTS_TRY_LATER"), headers: retryAfter(retryAfterS) }),
    torn: () => tear(found()),
    refused: () => problem(refusal),
    serverError: () => jsonAnswer(503, { error: { code: 503, message: "The service is currently unavailable." } }),
  };
}

async function refuse(
  house: House,
  answered: Answer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const refusal = { endpoint: "cardladder-sign-in", cert: null, fault: "refused", answer: answered } as const;
  await refuseCall(house, refusal, request, reply);
  return reply;
}

async function answer(house: House, voice: Voice, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  await answerCall(house, { endpoint: "cardladder-sign-in", part: "login", certNumber: "", voice }, request, reply);
  return reply;
}
