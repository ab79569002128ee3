import type { SheetWork } from "./sheet-work.ts";

/** The worker's calls, by name. */
export type SheetCalls = Pick<
  SheetWork,
  "read" | "useSheets" | "useColumns" | "checkColumns" | "planBody" | "sessionBody" | "waitingLines" | "rememberedLines"
>;

/** One call; the worker replies on the port sent with it. */
export type SheetCall<Name extends keyof SheetCalls = keyof SheetCalls> = {
  name: Name;
  input: Parameters<SheetCalls[Name]>;
};
export type SheetReply<Name extends keyof SheetCalls> =
  | { ok: true; answer: Awaited<ReturnType<SheetCalls[Name]>> }
  | { ok: false; cause: unknown };
