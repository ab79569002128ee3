import type { ExportFormat } from "../../api/sessions.ts";

/** An export format for selected rows. */
export type SelectionExport = {
  format: ExportFormat;
  hasThumbnails?: true;
  label: string;
  note: string;
  /** The file is generated while it is sent, picture by picture. */
  isSlow?: true;
};

/** Grouped by purpose. */
export type SelectionExports = readonly { title: string; choices: readonly SelectionExport[] }[];
