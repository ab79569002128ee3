const MONEY = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const WHOLE_MONEY = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });
const COUNT = new Intl.NumberFormat("en-US");

/** "$1,250.00"; the amount is in dollars. */
export const money = (dollars: number): string => MONEY.format(dollars);

/** "$1,250" */
export const wholeMoney = (dollars: number): string => WHOLE_MONEY.format(dollars);

/** "1,204" */
export const formatCount = (count: number): string => COUNT.format(count);

/** "1 card", "1,204 cards" */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
