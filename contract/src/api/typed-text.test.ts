import { expect, test } from "vitest";
import { oneCertNumberSchema } from "./typed-text.ts";

test.each([
  [98174651, "98174651"],
  [1401019289294, "1401019289294"],
  [Number.MAX_SAFE_INTEGER, "9007199254740991"],
  [" 01005453 ", "01005453"],
])("reads %j as the cert number %j", (sent, certNumber) => {
  expect(oneCertNumberSchema.parse(sent)).toBe(certNumber);
});

test.each([2 ** 53, 1.5, -12345678, 1e21])("refuses the number %d as a cert number", (sent) => {
  const { error } = oneCertNumberSchema.safeParse(sent);
  expect(error?.issues.map(({ message }) => message)).toContain(
    "must be text in quotes, or a whole number that JSON can carry exactly",
  );
});
