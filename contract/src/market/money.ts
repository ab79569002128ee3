/** One sale: its date (ISO 8601), the price in cents, and the platform if the source names one. */
export type Sale = { soldAt: string; cents: number; platform: string | null };

/** 10 billion dollars, more than any card costs. Up to this amount, eight times a price is an exact integer. */
const LARGEST_CENTS = 1e12;

/** True for a valid price: whole cents above zero. Sources use 0 for a missing price. */
export function isPrice(cents: number | null): cents is number {
  return cents !== null && Number.isSafeInteger(cents) && cents > 0 && cents <= LARGEST_CENTS;
}

export function dollarsOf(cents: number): number {
  return cents / 100;
}

/** Reverses `dollarsOf`. Rounds half up on the decimal amount, not its binary approximation: 1.005 is 101. */
export function centsOf(dollars: number): number {
  const cents = dollars * 100;
  const whole = Math.round(cents);
  return Math.abs(cents - whole) < 0.01 ? whole : Math.round(Number(cents.toFixed(6)));
}

/** A percentage to one decimal. `whole` must be above zero. Rounds half away from zero. */
export function percentOf(cents: number, whole: number): number {
  const tenths = Math.floor((2000 * Math.abs(cents) + whole) / (2 * whole));
  return (cents < 0 ? 0 - tenths : tenths) / 10;
}
