/** How many cards, as the activity log says it. */
export function countOfCards(count: number): string {
  return count === 1 ? "1 card" : `${count} cards`;
}
