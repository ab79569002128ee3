import { impressionOf } from "./decoding.service.ts";

/**
 * Maximum average difference in brightness, out of 255. Measured on the recorded cards' drawn slabs: the same picture
 * differs by less than 1 if recompressed or scaled down, and by less than 2.5 if cropped by two pixels or brightened by
 * 1%. Any two sides of any two slabs differ by at least 22.
 */
const SAME_ON_AVERAGE = 3;
/** Maximum difference in any field. Different labels on otherwise equal pictures change few fields, but by a lot. */
const SAME_IN_ANY_FIELD = 24;
const SAME_SHAPE = 0.03;

/** Compares two pictures by content. URLs, sizes and compression may differ. */
export async function isSamePicture(one: Buffer, other: Buffer): Promise<boolean> {
  const [a, b] = await Promise.all([impressionOf(one), impressionOf(other)]);
  const shapes = a.width / a.height / (b.width / b.height);
  if (Math.abs(shapes - 1) > SAME_SHAPE) return false;
  const differences = [...a.fields].map((field, index) => Math.abs(field - (b.fields[index] ?? 0)));
  const average = differences.reduce((total, difference) => total + difference, 0) / differences.length;
  return average < SAME_ON_AVERAGE && Math.max(...differences) < SAME_IN_ANY_FIELD;
}
