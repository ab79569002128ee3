import type { SheetCall, SheetCalls, SheetReply } from "./sheet/sheet-calls.ts";
import { SheetWork } from "./sheet/sheet-work.ts";

type Acts = { [Name in keyof SheetCalls]: (...input: Parameters<SheetCalls[Name]>) => ReturnType<SheetCalls[Name]> };

const work: Acts = new SheetWork();

async function answer<Name extends keyof SheetCalls>({ name, input }: SheetCall<Name>): Promise<SheetReply<Name>> {
  try {
    return { ok: true, answer: await work[name](...input) };
  } catch (cause) {
    return { ok: false, cause };
  }
}

/** 100,000 rows take seconds, which the page must not feel: all of it is done here, and the rows stay here. */
self.addEventListener("message", (event: MessageEvent<SheetCall>) => {
  const [port] = event.ports;
  void answer(event.data).then((reply) => port?.postMessage(reply));
});
