/** "1,204" */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** "1 card", "1,204 cards" */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
