import type { BarcodeDetector } from "barcode-detector/ponyfill";

/** A code in an image. `hasCheck` is false for kinds that a torn or blurred label can turn into another number. */
export type ReadCode = { text: string; hasCheck: boolean };

/** The code kinds on slabs. A QR code links to the certificate's page; the others hold the number. */
const FORMATS = ["qr_code", "data_matrix", "code_128", "code_39", "itf"] as const;
const WITHOUT_CHECK: readonly string[] = ["code_39", "itf"];

type DetectorClass = typeof BarcodeDetector;

declare global {
  interface Window {
    /** Exists in browsers with a native reader; TypeScript's DOM types lack it. */
    BarcodeDetector?: DetectorClass;
  }
}

/** The browser's reader if it supports all kinds, else ours, which is loaded only then. */
export async function openBarcodeReader(): Promise<(video: HTMLVideoElement) => Promise<ReadCode[]>> {
  const Detector = (await nativeDetector()) ?? (await loadDetector());
  const detector = new Detector({ formats: [...FORMATS] });
  return async (video) => {
    const detected = await detector.detect(video);
    return detected.map(({ rawValue, format }) => ({ text: rawValue, hasCheck: !WITHOUT_CHECK.includes(format) }));
  };
}

async function nativeDetector(): Promise<DetectorClass | null> {
  const Detector = window.BarcodeDetector;
  if (!Detector) return null;
  const supported = await Detector.getSupportedFormats();
  return FORMATS.every((format) => supported.includes(format)) ? Detector : null;
}

/** Served from our server. By default the reader would load its WebAssembly from a public server. */
const PROGRAM_URL = new URL("zxing-wasm/reader/zxing_reader.wasm", import.meta.url).href;

async function loadDetector(): Promise<DetectorClass> {
  const { BarcodeDetector, prepareZXingModule } = await import("barcode-detector/ponyfill");
  await prepareZXingModule({ overrides: { locateFile: () => PROGRAM_URL }, fireImmediately: true });
  return BarcodeDetector;
}
