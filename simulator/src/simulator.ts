import { setTimeout as sleep } from "node:timers/promises";
import Fastify from "fastify";
import { addCardladderApi } from "./cardladder/cardladder-api.ts";
import { CARDLADDER_EMAIL, CARDLADDER_PASSWORD, CARDLADDER_WEB_KEY, Logins } from "./cardladder/logins.ts";
import { addCardladderSignIn } from "./cardladder/sign-in.ts";
import { addCardsiqApi, CARDSIQ_API_KEY } from "./cardsiq/cardsiq-api.ts";
import { addCgcApi, CGC_API_PASSWORD, CGC_API_USERNAME } from "./cgc/cgc-api.ts";
import { addCgcImages } from "./cgc/cgc-images.ts";
import { addCgcPages } from "./cgc/cgc-pages.ts";
import { Behavior, type Latency } from "./endpoints/behavior.ts";
import { CallLog } from "./endpoints/call-log.ts";
import type { ChaosMix } from "./endpoints/chaos.ts";
import type { House } from "./endpoints/endpoint.ts";
import { Darkroom } from "./images/darkroom.ts";
import { seeded } from "./made-up/seeded.ts";
import { addPsaApi, PSA_API_TOKEN } from "./psa/psa-api.ts";
import { addPsaImages } from "./psa/psa-images.ts";
import { addPsaPages } from "./psa/psa-pages.ts";
import { addTagApi, TAG_API_KEY } from "./tag/tag-api.ts";
import { addTagImages } from "./tag/tag-images.ts";
import { addTagPages } from "./tag/tag-pages.ts";

/** The simulator's options. All defaults mean no delays and no failures. The environment is never read. */
export type SimulatorOptions = {
  /** The default, 0, uses any free port. */
  port?: number;
  /** Default: 0. */
  latencyMs?: Latency;
  /** The share of calls, 0 to 1, that fail with a random 5xx. Default: 0. */
  failureRate?: number;
  /** The shares of API and page calls that end in each fault. Default: none. */
  chaos?: ChaosMix;
  /** PSA calls per 24 hours, starting at the first call. Default: no limit. */
  psaDailyQuota?: number;
  /** Serves small two-color images instead of drawn slabs to save CPU time. Default: false. */
  hasPlainImages?: boolean;
  /** The seed for random latencies and failures. It doesn't affect the cards. */
  seed?: string;
};

/** The running upstreams for certificates and prices. */
export type Simulator = {
  /** "http://127.0.0.1:{port}". */
  origin: string;
  /** Environment settings, including credentials, that point a server at this simulator. */
  settings: Record<string, string>;
  calls: CallLog;
  behavior: Behavior;
  /** Stops immediately, including hanging calls. */
  close(): Promise<void>;
};

/**
 * Starts PSA, CGC, TAG, CardLadder and CardsIQ as one HTTP server on the loopback interface.
 *
 * @throws if the port is taken; RangeError if the shares of `chaos` are invalid
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const app = Fastify({ forceCloseConnections: true, routerOptions: { ignoreTrailingSlash: false } });
  const seed = options.seed ?? "simulator";
  const behavior = new Behavior({
    latencyMs: options.latencyMs ?? 0,
    failureRate: options.failureRate ?? 0,
    psaDailyQuota: options.psaDailyQuota ?? null,
    seed,
  });
  behavior.chaos(options.chaos ?? null);
  const house: House = {
    origin: "",
    behavior,
    calls: new CallLog(),
    random: seeded(seed),
    spent: new Set(),
  };
  const darkroom = new Darkroom({ isPlain: options.hasPlainImages ?? false });
  addPsaApi(app, house);
  addPsaPages(app, house);
  addPsaImages(app, house, darkroom);
  addCgcApi(app, house);
  addCgcPages(app, house);
  addCgcImages(app, house, darkroom);
  addTagApi(app, house);
  addTagPages(app, house);
  addTagImages(app, house, darkroom);
  const logins = new Logins(house);
  addCardladderSignIn(app, house, logins);
  addCardladderApi(app, house, logins);
  addCardsiqApi(app, house);
  app.get("/elsewhere/*", (request, reply) => {
    const { method, url: path } = request;
    house.calls.add({ endpoint: "elsewhere", method, path, cert: null, at: Date.now(), fault: null });
    return reply.send({ message: "You followed a redirect to another host." });
  });
  house.origin = await app.listen({ host: "127.0.0.1", port: options.port ?? 0 });
  return {
    origin: house.origin,
    settings: settingsFor(house.origin),
    calls: house.calls,
    behavior: house.behavior,
    close: async () => {
      await app.close();
      // Node releases the port on the next turn of the event loop.
      await sleep(0);
    },
  };
}

function settingsFor(origin: string): Record<string, string> {
  return {
    PSA_API_URL: `${origin}/psa-api/publicapi`,
    PSA_API_TOKEN,
    PSA_WEB_URL: `${origin}/psa-web`,
    CGC_API_URL: `${origin}/cgc-api`,
    CGC_API_USERNAME,
    CGC_API_PASSWORD,
    CGC_WEB_URL: `${origin}/cgc-web`,
    TAG_API_URL: `${origin}/tag-api`,
    TAG_API_KEY,
    TAG_WEB_URL: `${origin}/tag-web`,
    TAG_IMAGE_URL: `${origin}/tag-images`,
    CARDLADDER_AUTH_URL: `${origin}/cardladder-auth`,
    CARDLADDER_TOKEN_URL: `${origin}/cardladder-token`,
    CARDLADDER_API_URL: `${origin}/cardladder-api`,
    CARDLADDER_WEB_KEY,
    CARDLADDER_EMAIL,
    CARDLADDER_PASSWORD,
    CARDSIQ_API_URL: `${origin}/cardsiq-api`,
    CARDSIQ_API_KEY,
    IMAGE_HOSTS: new URL(origin).host,
  };
}
