import { expect, test } from "../journey.ts";
import { Screen } from "./screen.ts";

test.use({ stage: "no price source", settings: { CARDLADDER_PASSWORD: "", CARDSIQ_API_KEY: "" } });

test("without a price source prices cannot be asked for, and the page says why", async ({ signedIn }) => {
  const screen = new Screen(signedIn);
  await expect(screen.pricingChoice).toBeDisabled();
  await expect(signedIn.getByText("No price source is set up.")).toBeVisible();
});
