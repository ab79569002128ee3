import { Agent, request } from "node:http";
import { responseTo } from "./response.ts";
import type { Visitor } from "./visitor.ts";

/** An open event stream of a browser; `onEvent` is called with the text of each event. */
export type EventStream = { close(): void };

/** The most streams that the server lets one person hold. */
export const STREAMS_A_PERSON = 30;

/** Opens a stream from the session's state of now, and resolves at its first event. */
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
  // Cut by us when it is closed; a stream that the server ends too early leaves the measurement without events.
  response.on("error", () => first.resolve());
  await first.promise;
  return { close: () => void call.destroy() };
}
