import { expect, test } from "../journey.ts";
import { expectAll, runRecorded } from "./recorded-run.ts";
import { Screen } from "./screen.ts";

// So many failures close PSA's API for a minute, which is nobody else's business.
test.use({ stage: "an API is down" });

test("API with scraping fallback: when an API is down its pages are read, the others are asked as ever", async ({
  signedIn,
  office,
  upstream,
}) => {
  upstream.behavior.fail("psa-api", "server_error");
  upstream.behavior.fail("tag-api", "bot_wall");
  const sessionId = await runRecorded(new Screen(signedIn), "API with scraping fallback");
  upstream.behavior.heal();

  const expected = await expectAll(upstream.origin, { PSA: "page", CGC: "api", TAG: "page" });
  for (const row of await office.results(sessionId)) {
    expect(row).toMatchObject({ status: "completed", ...expected.get(row.certNumber) });
  }
});
