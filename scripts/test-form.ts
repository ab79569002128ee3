/*
 * The tests come in two forms. `npm test` runs the short form: every test, with few cases of each property and few kills
 * of each crash test. `npm run test:long` runs the long form, with all of them. scripts/test.mjs sets TEST_FORM.
 */

/** Whether this is the long form. */
export const isLongForm = process.env["TEST_FORM"] === "long";

/** Returns the number of cases, rows or kills for this form. */
export function amount({ short, long }: { short: number; long: number }): number {
  return isLongForm ? long : short;
}
