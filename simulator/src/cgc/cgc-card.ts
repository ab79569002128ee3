/** A CGC card as its page prints it: everything else is worded from these pairs. */
export type CgcCard = {
  /** 10 or 13 digits, without the dash. */
  certNumber: string;
  /** Label and value in the page's order; a missing value has no pair. */
  pairs: [label: string, value: string][];
  /** Picture addresses by side, as paths on the image host; sides without a picture are left out. */
  scans: CgcScan[];
  population: { atGrade: number; higher: number; url: string } | null;
  /** The side named Obverse shows the back, as in 2 of 11 captures inspected. */
  scansReversed: boolean;
};

export type CgcScan = { label: "Obverse" | "Reverse"; path: string };

/** A field of the card; "" when the page does not print it. */
export function cgcField(card: CgcCard, label: string): string {
  return card.pairs.find(([name]) => name === label)?.[1] ?? "";
}

/** Sports cards name a manufacturer and a player, cards of games a card name and a game. */
export function isSportsCard(card: CgcCard): boolean {
  return card.pairs.some(([name]) => name === "Player Name");
}

/** "6016747097" as it is printed on labels and in picture names: "6016747-097". */
export function dashed(certNumber: string): string {
  return `${certNumber.slice(0, -3)}-${certNumber.slice(-3)}`;
}
