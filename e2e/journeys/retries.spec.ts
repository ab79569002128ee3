import { freshTagRows, sheetFile } from "../golden/made-up-sheets.ts";
import { expect, test } from "../journey.ts";
import { Screen } from "./screen.ts";

/** Hangs once and always: the simulator's codes 73 and 91. */
const LATE = "99999973";
const NEVER = "99999991";

test("a PSA card that does not answer in time is queued, then completed, or failed in SPEC's words", async ({
  signedIn,
  office,
  upstream,
  complaints,
}) => {
  // The first picture of the late one hangs, too.
  complaints.expect(/502 .*\/image\//);
  const screen = new Screen(signedIn);
  const sheet = sheetFile("slow.csv", [[LATE, "PSA", "10", "Mine"], [NEVER, "PSA", "10", ""], ...freshTagRows(2)]);
  await screen.chooseFile(sheet);
  await screen.source("API only").check();
  await screen.processButton.click();

  await expect(screen.row(2)).toContainText("Queued - Retrying...");
  await expect(screen.row(2)).toContainText(`Queued: ${LATE}`);
  await expect(screen.sessionCard).toContainText("1 queued");
  await expect(screen.row(2)).toContainText("Completed (Retried)");
  await expect(screen.row(2)).toContainText("View Cert");
  await expect(screen.row(3)).toContainText("Retry Failed");
  await expect(screen.row(3)).toContainText(`Error: ${NEVER}`);
  await expect(screen.sessionCard).toContainText("completed");
  await expect(screen.sessionCard).toContainText("3 done");
  await expect(screen.action("Retry 1 outage")).toBeVisible();

  const [late, never] = await office.results(await screen.sessionId());
  expect(late).toMatchObject({ status: "completed_retry", outcome: "found", notes: "Mine", customerPrice: "11.00" });
  expect(never).toMatchObject({ status: "failed", outcome: "timeout", player: "Error" });
  expect(never?.notes).toMatch(/^Retry failed: Request timeout after 5000ms/);
  expect([LATE, NEVER].map((cert) => upstream.calls.count({ door: "psa-api", cert, fault: "hang" }))).toEqual([1, 2]);
});
