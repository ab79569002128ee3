/** 12345 as "12,345". */
export function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** "1 card", "2,500 cards". */
export function many(value: number, one: string, more = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : more}`;
}
