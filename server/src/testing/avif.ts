function number(value: number, bytes: 2 | 4): Buffer {
  const written = Buffer.alloc(bytes);
  written.writeUIntBE(value, 0, bytes);
  return written;
}
const short = (...values: number[]): Buffer => Buffer.concat(values.map((value) => number(value, 2)));
const long = (...values: number[]): Buffer => Buffer.concat(values.map((value) => number(value, 4)));

function box(type: string, ...parts: Buffer[]): Buffer {
  const contents = Buffer.concat(parts);
  return Buffer.concat([long(8 + contents.length), Buffer.from(type, "latin1"), contents]);
}

const versioned = (type: string, version: number, ...parts: Buffer[]): Buffer =>
  box(type, Buffer.from([version, 0, 0, 0]), ...parts);

/** The contents of the first box of this type. */
function contentsOf(file: Buffer, type: string): Buffer {
  const at = file.indexOf(type);
  return file.subarray(at + 4, at - 4 + file.readUInt32BE(at - 4));
}

type Item = { type: "av01" | "grid"; side: number; bytes: Buffer; properties: Buffer[] };
type Options = { hasLongSizes?: boolean };
type Reference = { type: "dimg" | "auxl"; from: number; to: number[] };

/** An AVIF with these items. The first is the visible image. */
function avifOf(items: readonly Item[], { type, from, to }: Reference, { hasLongSizes = false }: Options = {}): Buffer {
  const sizeOf = ({ side }: Item): Buffer => {
    const size = versioned("ispe", 0, long(side, side));
    return hasLongSizes ? Buffer.concat([long(1), size.subarray(4, 8), long(0, 28), size.subarray(8)]) : size;
  };
  const startOf = (index: number): number => items.slice(0, index).reduce((sum, { bytes }) => sum + bytes.length, 0);
  const places = items.map(({ bytes }, index) =>
    Buffer.concat([short(index + 1, 1, 0, 1), long(startOf(index), bytes.length)]),
  );
  const infos = items.map((item, index) =>
    versioned("infe", 2, short(index + 1, 0), Buffer.from(item.type), Buffer.alloc(1)),
  );
  const properties = items.map((item) => [sizeOf(item), ...item.properties]);
  let count = 0;
  const uses = properties.map((own, index) =>
    Buffer.concat([short(index + 1), Buffer.from([own.length, ...own.map(() => (count += 1))])]),
  );
  const meta = versioned(
    "meta",
    0,
    versioned("hdlr", 0, long(0), Buffer.from("pict"), Buffer.alloc(13)),
    versioned("pitm", 0, short(1)),
    versioned("iloc", 1, Buffer.from([0x44, 0]), short(items.length), ...places),
    versioned("iinf", 0, short(items.length), ...infos),
    versioned("iref", 0, box(type, short(from, to.length, ...to))),
    box("iprp", box("ipco", ...properties.flat()), versioned("ipma", 0, long(items.length), ...uses)),
    box("idat", ...items.map(({ bytes }) => bytes)),
  );
  return Buffer.concat([box("ftyp", Buffer.from("avif\0\0\0\0mif1miaf")), meta]);
}

/** A square AVIF without transparency. */
export type PlainAvif = { file: Buffer; side: number };

const codedItem = ({ file, side }: PlainAvif, ...properties: Buffer[]): Item => ({
  type: "av01",
  side,
  bytes: contentsOf(file, "mdat"),
  properties: [box("av1C", contentsOf(file, "av1C")), ...properties],
});

/**
 * An AVIF whose image of `side` by `side` pixels is a grid of `tiles` by `tiles` copies of one tile. The decoder decodes
 * the tile for each copy and drops what is outside the image.
 */
export function gridAvif(tile: PlainAvif, side: number, tiles: number): Buffer {
  const bytes = Buffer.concat([Buffer.from([0, 0, tiles - 1, tiles - 1]), short(side, side)]);
  const grid: Item = { type: "grid", side, bytes, properties: [] };
  return avifOf([grid, codedItem(tile)], { type: "dimg", from: 1, to: Array<number>(tiles ** 2).fill(2) });
}

/** An AVIF whose transparency says that it has `side` by `side` pixels. */
export function transparentAvif(image: PlainAvif, side: number, options: Options = {}): Buffer {
  const auxiliary = versioned("auxC", 0, Buffer.from("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0"));
  const transparency = codedItem({ ...image, side }, auxiliary);
  return avifOf([codedItem(image), transparency], { type: "auxl", from: 2, to: [1] }, options);
}
