import { impressionOf } from "./decoding.ts";

/**
 * Of 255. Measured on the recorded cards' slabs as drawn: the same picture compressed anew or made smaller stays below 1,
 * cut by two pixels or brightened by a hundredth below 2.5; any two sides of any two slabs are 22 and more apart.
 */
const SAME_ON_AVERAGE = 3;
/** A label that differs on two pictures of the same white card moves few fields, but moves them far. */
const SAME_IN_ANY_FIELD = 24;
const SAME_SHAPE = 0.03;

/** Whether two pictures show the same, by their content: addresses, sizes and compression may differ. */
export async function isSamePicture(one: Buffer, other: Buffer): Promise<boolean> {
  const [a, b] = await Promise.all([impressionOf(one), impressionOf(other)]);
  const shapes = a.width / a.height / (b.width / b.height);
  if (Math.abs(shapes - 1) > SAME_SHAPE) return false;
  const differences = [...a.fields].map((field, index) => Math.abs(field - (b.fields[index] ?? 0)));
  const average = differences.reduce((total, difference) => total + difference, 0) / differences.length;
  return average < SAME_ON_AVERAGE && Math.max(...differences) < SAME_IN_ANY_FIELD;
}
