import { expect, test } from "vitest";
import { newLedger, withScan, withState } from "./ledger.ts";
import type { StationState } from "./station.ts";
import { linkMessage, scannedMessage, verdictMessage } from "./station-messages.ts";

const EMPTY = newLedger({
  owner: "tab",
  key: "key",
  sessionName: "Scan station - Nov 21, 2026",
  mode: "api-with-fallback",
  includePricing: false,
  startedAt: "2026-11-21T10:00:00.000Z",
});

function waiting(count: number): StationState {
  let ledger = EMPTY;
  for (let index = 0; index < count; index += 1) {
    const certNumber = String(98_174_651 + index);
    ({ ledger } = withScan(ledger, { text: certNumber, company: "PSA", certNumber, repaired: "" }));
  }
  return { ledger, link: { kind: "away" }, isKept: true, isMine: true };
}

test("says how many scans wait, and that they are stored", () => {
  expect(linkMessage(waiting(3))).toEqual({
    tone: "warn",
    message: "Connection lost. 3 scans waiting to be sent, saved in this browser. Reconnecting…",
  });
  expect(linkMessage(waiting(1))?.message).toContain("1 scan waiting to be sent");
});

test("warns if the browser cannot store waiting scans", () => {
  expect(linkMessage({ ...waiting(2), link: { kind: "sending" }, isKept: false })?.message).toBe(
    "2 scans waiting to be sent, lost if you close this tab.",
  );
});

test("says nothing if all scans have been sent or are being sent", () => {
  const state = waiting(2);
  expect(linkMessage({ ...state, link: { kind: "sending" } })).toBeNull();
  expect(linkMessage({ ...state, ledger: withState(state.ledger, [2, 3], "sent") })).toBeNull();
});

test("a refusal has the server's message", () => {
  expect(
    linkMessage({ ...waiting(1), link: { kind: "refused", problem: "A session holds at most 100000 rows" } }),
  ).toEqual({
    tone: "bad",
    message: "1 scan waiting to be sent: A session holds at most 100000 rows",
  });
});

test("a verdict names the number, its result, and repairs", () => {
  const { scan } = withScan(EMPTY, {
    text: "1020688",
    company: "PSA",
    certNumber: "01020688",
    repaired: "leading zero restored",
  });
  expect(verdictMessage({ kind: "ok", scan, number: 12 })).toEqual({
    title: "No. 12",
    about: "PSA 01020688 · leading zero restored",
  });
  expect(verdictMessage({ kind: "duplicate", scan, number: 12 })).toEqual({
    title: "Already scanned as no. 12",
    about: "PSA 01020688",
  });
});

test("a scan outside the station is named by its number, several by their count", () => {
  expect(scannedMessage(["https://www.psacard.com/cert/98174651"])).toBe("Scanned 98174651");
  expect(scannedMessage(["C1240631"])).toBe("Scanned C1240631");
  expect(scannedMessage(["C1240631", "98174651"])).toBe("Scanned 2 codes");
});
