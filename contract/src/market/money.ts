/** Ten thousand million dollars: what is more is no price of a card. Up to it, eight times a price is an exact integer. */
const LARGEST_CENTS = 1e12;

/** An amount that a card can have been sold or priced for: whole cents above zero. Sources write 0 where they have none. */
export function isPrice(cents: number | null): cents is number {
  return cents !== null && Number.isSafeInteger(cents) && cents > 0 && cents <= LARGEST_CENTS;
}

/** Whole cents as dollars, as they go over the wire. */
export function dollarsOf(cents: number): number {
  return cents / 100;
}

/**
 * Dollars as whole cents, rounded half up on the decimal amount, not on its binary neighbor: 1.005 is 101 cents. Gives
 * back the cents of {@link dollarsOf} exactly.
 */
export function centsOf(dollars: number): number {
  const cents = dollars * 100;
  const whole = Math.round(cents);
  return Math.abs(cents - whole) < 0.01 ? whole : Math.round(Number(cents.toFixed(6)));
}

/** Cents as percent of other cents, which are above zero, to one decimal; half a tenth is rounded away from zero. */
export function percentOf(cents: number, whole: number): number {
  const tenths = Math.floor((2000 * Math.abs(cents) + whole) / (2 * whole));
  return (cents < 0 ? 0 - tenths : tenths) / 10;
}
