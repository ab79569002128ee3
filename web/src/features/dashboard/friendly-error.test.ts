import { expect, test } from "vitest";
import { friendlyError } from "./friendly-error.ts";

test.each([
  // The specification's section 8.
  ["CGC API credentials not configured", "CGC API credentials not configured"],
  ["CGC API failed: Certificate is not in the registry", "Certificate is not in the registry"],
  ["Error: CGC API failed: 500 upstream down", "500 upstream down"],
  ["Failed to get PSA data: No images for this certificate", "No images for this certificate"],
  ["PSA data failure: Request was refused", "Request was refused"],
  ["TypeError: Failed to fetch", "Server connection failed"],
  ['502 {"message":"upstream"}', "Processing failed"],
  ["}", "Processing failed"],
  ['CGC API failed: {"code":7}', "Processing failed"],
  // The messages of our own server for each outcome.
  ["Failed to fetch PSA cert 99999990: 404 PSA has no certificate 99999990", "PSA has no certificate 99999990"],
  [
    "Failed to fetch PSA cert 1: 503 PSA API credentials not configured: an administrator must enter PSA_API_TOKEN in Admin → Sources",
    "PSA API credentials not configured: an administrator must enter PSA_API_TOKEN in Admin → Sources",
  ],
  [
    "Failed to fetch CGC cert 1: 502 CGC's API is not working at the moment (500)",
    "CGC's API is not working at the moment (500)",
  ],
  ["Failed to fetch TAG cert Q1: 502 TAG's page blocked us (bot protection)", "TAG's page blocked us (bot protection)"],
  ["Failed to fetch PSA cert 12: 34: 502 PSA's page could not be reached", "PSA's page could not be reached"],
  ['Failed to fetch PSA cert 1: 502 {"ServerMessage":"x"}', "Server connection failed"],
  ["Failed to fetch PSA cert 1: 502 Failed to fetch", "Server connection failed"],
  ["Request timeout after 30000ms", "No response within 30 seconds"],
  ["Missing CertNumber or GradingCompany", "Missing CertNumber or GradingCompany"],
  [
    "Unsupported grading company: BGS. Supported companies are: PSA, CGC, TAG",
    "Unsupported grading company: BGS. Supported companies are: PSA, CGC, TAG",
  ],
  ["", "Processing failed"],
  [null, "Processing failed"],
])("%j reads %j", (error, message) => {
  expect(friendlyError(error)).toBe(message);
});
