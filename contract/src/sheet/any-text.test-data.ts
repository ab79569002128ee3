import fc from "fast-check";

/** All code points except surrogates. */
const codePoint = fc
  .oneof(fc.integer({ min: 0, max: 0xd7_ff }), fc.integer({ min: 0xe0_00, max: 0x10_ff_ff }))
  .map((point) => String.fromCodePoint(point));

/**
 * Any text from a file or an upstream. fast-check's "binary" strings take seconds, because they enumerate all code
 * points first.
 */
export const anyText: fc.Arbitrary<string> = fc.oneof(fc.string(), fc.string({ unit: codePoint }));
