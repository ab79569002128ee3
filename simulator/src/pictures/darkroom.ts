import sharp from "sharp";
import { drawBareCard, drawPlainSlab, drawSlab } from "./slab.ts";
import type { SlabFace } from "./slab-face.ts";

export type PictureOrder = {
  face: SlabFace;
  side: "front" | "back";
  shows: "slab" | "square" | "card";
  /** Pixels. The height follows from the width, except for squares. */
  width: number;
  /** Compresses the picture a second time, like another copy of the same picture. */
  isCopy?: boolean;
};

const KEPT = 240;
const JPEG_QUALITY = 84;
const COPY_QUALITY = 60;

/** Renders drawings as JPEGs and caches the latest, so that scrolling a table doesn't render them again. */
export class Darkroom {
  /** Least recently used first. */
  readonly #pictures = new Map<string, Promise<Buffer>>();

  readonly #isPlain: boolean;

  constructor({ isPlain }: { isPlain: boolean }) {
    this.#isPlain = isPlain;
    // The server in this process lets sharp decode only photo formats. The drawings are SVG.
    sharp.unblock({ operation: ["VipsForeignLoadSvgBuffer"] });
  }

  /** One side of one slab in one size. Concurrent orders for the same picture share one rendering. */
  develop(order: PictureOrder): Promise<Buffer> {
    const name = [order.face.company, order.face.certNumber, order.side, order.shows, order.width, order.isCopy].join(
      "/",
    );
    const picture = this.#pictures.get(name) ?? draw(order, this.#isPlain);
    this.#pictures.delete(name);
    this.#pictures.set(name, picture);
    for (const oldest of this.#pictures.keys()) {
      if (this.#pictures.size <= KEPT) break;
      this.#pictures.delete(oldest);
    }
    return picture;
  }
}

function draw(order: PictureOrder, isPlain: boolean): Promise<Buffer> {
  const { shows, width, isCopy } = order;
  if (isPlain)
    return sharp(Buffer.from(drawPlainSlab(order.face, order.side)))
      .jpeg()
      .toBuffer();
  const picture = sharp(Buffer.from(drawInFull(order)));
  const sized =
    shows === "square"
      ? picture.resize(width, width, { fit: "contain", background: "#e9eaec" })
      : picture.resize({ width });
  return sized.jpeg({ quality: isCopy ? COPY_QUALITY : JPEG_QUALITY }).toBuffer();
}

function drawInFull({ face, side, shows }: PictureOrder): string {
  return shows === "card" ? drawBareCard(face, side) : drawSlab(face, side);
}
