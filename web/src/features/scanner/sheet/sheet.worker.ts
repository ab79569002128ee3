import type { SheetCall, SheetCalls, SheetReply } from "./sheet-worker-client.ts";
import { SheetWork } from "./sheet-work.ts";

const work: SheetCalls = new SheetWork();

async function answer<Name extends keyof SheetCalls>({ name, input }: SheetCall<Name>): Promise<SheetReply<Name>> {
  try {
    return { ok: true, answer: await work[name](...input) };
  } catch (cause) {
    return { ok: false, cause };
  }
}

/** Processing 100,000 rows takes seconds and would block the page. This worker does all of it and holds the rows. */
self.addEventListener("message", (event: MessageEvent<SheetCall>) => {
  const [port] = event.ports;
  void answer(event.data).then((reply) => port?.postMessage(reply));
});
