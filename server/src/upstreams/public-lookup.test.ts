import { expect, test } from "vitest";
import { isPublicAddress } from "./image-endpoint.ts";

test.each([
  ["8.8.8.8", true],
  ["13.224.10.1", true],
  ["2600:9000:2000::1", true],
  ["0.0.0.0", false],
  ["10.1.2.3", false],
  ["100.64.0.1", false],
  ["127.0.0.1", false],
  ["127.8.8.8", false],
  ["169.254.169.254", false],
  ["172.16.0.1", false],
  ["172.32.0.1", true],
  ["192.168.1.1", false],
  ["224.0.0.1", false],
  ["255.255.255.255", false],
  ["::", false],
  ["::1", false],
  ["::ffff:127.0.0.1", false],
  ["::ffff:8.8.8.8", false],
  ["64:ff9b::7f00:1", false],
  ["64:ff9b:1::7f00:1", false],
  ["::ffff:0:127.0.0.1", false],
  ["100::1", false],
  ["2001::1", false],
  ["2002:7f00:1::", false],
  ["3fff::1", false],
  ["5f00::1", false],
  ["fd00::1", false],
  ["fe80::1", false],
  ["ff02::1", false],
  ["::7f00:1", false],
  ["4000::1", false],
  ["fec0::1", false],
])("%s is public: %s", (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});
