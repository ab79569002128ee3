import type { Simulator } from "../simulator.ts";

/** Signs in to the simulator's CardLadder with its settings or with other fields. */
export function askSignIn({ settings }: Simulator, fields: object = {}, key = settings.CARDLADDER_WEB_KEY) {
  return fetch(`${settings.CARDLADDER_AUTH_URL}/v1/accounts:signInWithPassword?key=${key}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      email: settings.CARDLADDER_EMAIL,
      password: settings.CARDLADDER_PASSWORD,
      returnSecureToken: true,
      ...fields,
    }),
  });
}

export async function signIn(simulator: Simulator): Promise<{ idToken: string; refreshToken: string }> {
  return tokensIn(await (await askSignIn(simulator)).json(), "idToken", "refreshToken");
}

/** @throws if either token is missing */
export function tokensIn(
  body: unknown,
  idName: string,
  refreshName: string,
): { idToken: string; refreshToken: string } {
  return { idToken: textIn(body, idName), refreshToken: textIn(body, refreshName) };
}

function textIn(body: unknown, name: string): string {
  const fields: [string, unknown][] = typeof body === "object" && body !== null ? Object.entries(body) : [];
  const value = new Map(fields).get(name);
  if (typeof value !== "string") throw new Error(`The response has no ${name}`);
  return value;
}
