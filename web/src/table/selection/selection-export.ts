import type { ExportFormat } from "../../api/client.ts";

/** A file that the rows selected can be taken away as. */
export type SelectionExport = {
  format: ExportFormat;
  hasThumbnails?: true;
  label: string;
  note: string;
  /** It is made while it is sent, picture by picture. */
  isSlow?: true;
};

/** By what they are for. */
export type SelectionExports = readonly { title: string; choices: readonly SelectionExport[] }[];
