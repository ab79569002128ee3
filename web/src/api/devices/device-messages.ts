export type DeviceKind = "desktop" | "phone" | "program";
export type Device = { kind: DeviceKind; message: string };

/** In matching order: a browser's user agent also names its ancestors, so derived browsers come first. */
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
  [/\bCrOS\b/, "ChromeOS", "desktop"],
  [/\bWindows\b/, "Windows", "desktop"],
  [/\bMac OS X\b/, "Mac", "desktop"],
  [/\bLinux\b/, "Linux", "desktop"],
];

/** The device by its user agent: "Chrome on Windows". User agents can be forged, so this is a hint, not proof. */
export function deviceOf(userAgent: string | null): Device {
  const agent = userAgent ?? "";
  const browser = BROWSERS.find(([sign]) => sign.test(agent))?.[1];
  const system = SYSTEMS.find(([sign]) => sign.test(agent));
  if (system) return { kind: system[2], message: `${browser ?? "Browser"} on ${system[1]}` };
  if (browser !== undefined) return { kind: "desktop", message: browser };
  const program = /^[\w.-]+/.exec(agent)?.[0];
  return program === undefined
    ? { kind: "desktop", message: "Unknown device" }
    : { kind: "program", message: `Program: ${program}` };
}
