import { expect, test } from "../journey.ts";
test("dbg", async ({ signedIn }) => {
  console.log(await signedIn.getByRole("radiogroup").first().evaluate((e) => e.parentElement?.outerHTML.slice(0, 700)));
  console.log(await signedIn.locator("body").ariaSnapshot());
});
