import type { SheetWork } from "./sheet-work.ts";

/** What the worker does for the page, by name. */
export type SheetCalls = Pick<
  SheetWork,
  "read" | "useSheets" | "useColumns" | "checkColumns" | "planBody" | "sessionBody" | "waitingLines" | "rememberedLines"
>;

/** One thing to do; its answer goes to the port that comes with it. */
export type SheetCall<Name extends keyof SheetCalls = keyof SheetCalls> = {
  name: Name;
  input: Parameters<SheetCalls[Name]>;
};
export type SheetReply<Name extends keyof SheetCalls> =
  | { ok: true; answer: Awaited<ReturnType<SheetCalls[Name]>> }
  | { ok: false; cause: unknown };
