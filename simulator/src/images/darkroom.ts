import sharp from "sharp";
import { drawBareCard, drawPlainSlab, drawSlab } from "./slab.ts";
import type { SlabFace } from "./slab-face.ts";

export type ImageOrder = {
  face: SlabFace;
  side: "front" | "back";
  shows: "slab" | "square" | "card";
  /** Pixels. The height follows from the width, except for squares. */
  width: number;
  /** Compresses the image a second time, like another copy of the same image. */
  isCopy?: boolean;
};

const KEPT = 240;
const JPEG_QUALITY = 84;
const COPY_QUALITY = 60;

/** Renders drawings as JPEGs and caches the latest, so that scrolling a table doesn't render them again. */
export class Darkroom {
  /** Least recently used first. */
  readonly #images = new Map<string, Promise<Buffer>>();

  readonly #isPlain: boolean;

  constructor({ isPlain }: { isPlain: boolean }) {
    this.#isPlain = isPlain;
    // The server in this process lets sharp decode only photo formats. The drawings are SVG.
    sharp.unblock({ operation: ["VipsForeignLoadSvgBuffer"] });
  }

  /** One side of one slab in one size. Concurrent orders for the same image share one rendering. */
  develop(order: ImageOrder): Promise<Buffer> {
    const name = [order.face.company, order.face.certNumber, order.side, order.shows, order.width, order.isCopy].join(
      "/",
    );
    const image = this.#images.get(name) ?? draw(order, this.#isPlain);
    this.#images.delete(name);
    this.#images.set(name, image);
    for (const oldest of this.#images.keys()) {
      if (this.#images.size <= KEPT) break;
      this.#images.delete(oldest);
    }
    return image;
  }
}

function draw(order: ImageOrder, isPlain: boolean): Promise<Buffer> {
  const { shows, width, isCopy } = order;
  if (isPlain)
    return sharp(Buffer.from(drawPlainSlab(order.face, order.side)))
      .jpeg()
      .toBuffer();
  const image = sharp(Buffer.from(drawInFull(order)));
  const sized =
    shows === "square"
      ? image.resize(width, width, { fit: "contain", background: "#e9eaec" })
      : image.resize({ width });
  return sized.jpeg({ quality: isCopy ? COPY_QUALITY : JPEG_QUALITY }).toBuffer();
}

function drawInFull({ face, side, shows }: ImageOrder): string {
  return shows === "card" ? drawBareCard(face, side) : drawSlab(face, side);
}
