import { describe, expect, it } from "vitest";
import { type Device, deviceOf } from "./device-messages.ts";

const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)";

describe("deviceOf", () => {
  it.each<[string | null, Device]>([
    [`${WINDOWS} Chrome/142.0.0.0 Safari/537.36`, { kind: "desktop", message: "Chrome on Windows" }],
    [`${WINDOWS} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`, { kind: "desktop", message: "Edge on Windows" }],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15",
      { kind: "desktop", message: "Safari on Mac" },
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1",
      { kind: "phone", message: "Chrome on iPhone" },
    ],
    [
      "Mozilla/5.0 (Android 16; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0",
      { kind: "phone", message: "Firefox on Android" },
    ],
    [
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36",
      { kind: "desktop", message: "Chrome on Linux" },
    ],
    ["Mozilla/5.0 (Windows NT 10.0) Something/1.0", { kind: "desktop", message: "Browser on Windows" }],
    ["curl/8.16.0", { kind: "program", message: "Program: curl" }],
    ["node", { kind: "program", message: "Program: node" }],
    ["", { kind: "desktop", message: "Unknown device" }],
    [null, { kind: "desktop", message: "Unknown device" }],
  ])("reads %s", (userAgent, device) => {
    expect(deviceOf(userAgent)).toEqual(device);
  });
});
