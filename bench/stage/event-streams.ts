import { Agent, request } from "node:http";
import { responseTo } from "./response.ts";
import type { Visitor } from "./visitor.ts";

/** A browser's open event stream; `onEvent` is called with the text of each event. */
export type EventStream = { close(): void };

/** The server's limit of streams per person. */
export const STREAMS_A_PERSON = 30;

/** Opens a stream at the session's current state, and resolves at the first event. */
export async function openStream(
  visitor: Visitor,
  sessionId: string,
  onEvent: (text: string) => void,
): Promise<EventStream> {
  const agent = new Agent();
  const call = request(`${visitor.origin}/api/scan-sessions/${sessionId}/events`, { headers: visitor.headers, agent });
  call.end();
  const response = await responseTo(call);
  const first = Promise.withResolvers<void>();
  let rest = "";
  response.setEncoding("utf8");
  response.on("data", (piece: string) => {
    const blocks = `${rest}${piece}`.split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks.filter((text) => text.startsWith("event: "))) {
      onEvent(`${block}\n\n`);
      first.resolve();
    }
  });
  // Closing it ends the connection here. If the server closes a stream too early, the measurement has no events.
  response.on("error", () => first.resolve());
  await first.promise;
  return { close: () => void call.destroy() };
}
