/** Formats a number of cards for the activity log. */
export function countOfCards(count: number): string {
  return count === 1 ? "1 card" : `${count} cards`;
}
