import sharp from "sharp";
import { drawBareCard, drawSlab } from "./slab.ts";
import type { SlabFace } from "./slab-face.ts";

export type PictureOrder = {
  face: SlabFace;
  side: "front" | "back";
  shows: "slab" | "square" | "card";
  /** Pixels; the height follows, except for squares. */
  width: number;
};

const KEPT = 240;
const JPEG_QUALITY = 84;

/** Develops drawings into JPEGs and keeps the latest, so that a table that scrolls doesn't draw anew. */
export class Darkroom {
  /** Oldest use first. */
  readonly #pictures = new Map<string, Promise<Buffer>>();

  /** The picture of one side of one slab, in one size. Several orders for the same picture are one drawing. */
  develop(order: PictureOrder): Promise<Buffer> {
    const name = [order.face.company, order.face.certNumber, order.side, order.shows, order.width].join("/");
    const picture = this.#pictures.get(name) ?? draw(order);
    this.#pictures.delete(name);
    this.#pictures.set(name, picture);
    for (const oldest of this.#pictures.keys()) {
      if (this.#pictures.size <= KEPT) break;
      this.#pictures.delete(oldest);
    }
    return picture;
  }
}

function draw({ face, side, shows, width }: PictureOrder): Promise<Buffer> {
  const svg = shows === "card" ? drawBareCard(face, side) : drawSlab(face, side);
  const picture = sharp(Buffer.from(svg));
  const sized =
    shows === "square"
      ? picture.resize(width, width, { fit: "contain", background: "#e9eaec" })
      : picture.resize({ width });
  return sized.jpeg({ quality: JPEG_QUALITY }).toBuffer();
}
