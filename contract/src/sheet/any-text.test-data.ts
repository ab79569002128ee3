import fc from "fast-check";

/** Every code point that stands alone: all but the halves of pairs. */
const codePoint = fc
  .oneof(fc.integer({ min: 0, max: 0xd7_ff }), fc.integer({ min: 0xe0_00, max: 0x10_ff_ff }))
  .map((point) => String.fromCodePoint(point));

/** Whatever a file or an upstream may hold. fast-check's own "binary" strings first list all code points, for seconds. */
export const anyText: fc.Arbitrary<string> = fc.oneof(fc.string(), fc.string({ unit: codePoint }));
