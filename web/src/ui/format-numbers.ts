const MONEY = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const WHOLE_MONEY = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });

/** "$1,250.00"; the amount is in dollars. */
export const money = (dollars: number): string => MONEY.format(dollars);

/** "$1,250" */
export const wholeMoney = (dollars: number): string => WHOLE_MONEY.format(dollars);
