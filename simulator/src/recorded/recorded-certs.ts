import { RECORDED_CGC_NUMBERS } from "../cgc/cgc-recorded.ts";
import { RECORDED_PSA_NUMBERS } from "../psa/psa-recorded.ts";
import { RECORDED_TAG_NUMBERS } from "../tag/tag-recorded.ts";

/** All certificates that were observed. sample-certs.csv lists them too. */
export const RECORDED_CERTS: readonly { company: "PSA" | "CGC" | "TAG"; certNumber: string }[] = [
  ...RECORDED_PSA_NUMBERS.map((certNumber) => ({ company: "PSA" as const, certNumber })),
  ...RECORDED_CGC_NUMBERS.map((certNumber) => ({ company: "CGC" as const, certNumber })),
  ...RECORDED_TAG_NUMBERS.map((certNumber) => ({ company: "TAG" as const, certNumber })),
];
