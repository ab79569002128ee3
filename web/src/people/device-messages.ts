export type DeviceKind = "desk" | "phone" | "program";
export type Device = { kind: DeviceKind; message: string };

/** Browsers name those they descend from, so the one that came last is asked for first. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|OPT)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bVersion\/.+\bSafari\//, "Safari"],
];

const SYSTEMS: readonly (readonly [RegExp, string, DeviceKind])[] = [
  [/\biPhone\b/, "iPhone", "phone"],
  [/\biPad\b/, "iPad", "phone"],
  [/\bAndroid\b/, "Android", "phone"],
  [/\bCrOS\b/, "ChromeOS", "desk"],
  [/\bWindows\b/, "Windows", "desk"],
  [/\bMac OS X\b/, "Mac", "desk"],
  [/\bLinux\b/, "Linux", "desk"],
];

/** What a browser says it is, in words: "Chrome on Windows". Anybody can say anything there, so it is a help, no proof. */
export function deviceOf(userAgent: string | null): Device {
  const said = userAgent ?? "";
  const browser = BROWSERS.find(([sign]) => sign.test(said))?.[1];
  const system = SYSTEMS.find(([sign]) => sign.test(said));
  if (browser === undefined && system === undefined) {
    const program = /^[\w.-]+/.exec(said)?.[0];
    return program === undefined
      ? { kind: "desk", message: "Unknown device" }
      : { kind: "program", message: `Program: ${program}` };
  }
  return {
    kind: system?.[2] ?? "desk",
    message: [browser ?? "Browser", system?.[1]].filter((word) => word !== undefined).join(" on "),
  };
}
