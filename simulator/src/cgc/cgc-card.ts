/** A CGC card as printed on its page. All other formats derive from these pairs. */
export type CgcCard = {
  /** 10 or 13 digits, without the dash. */
  certNumber: string;
  /** Labels and values in the page's order. A missing value has no pair. */
  pairs: [label: string, value: string][];
  /** Paths on the image host, by side. Sides without an image are omitted. */
  scans: CgcScan[];
  population: { atGrade: number; higher: number; url: string } | null;
  /** The side named Obverse shows the back, as in 2 of 11 inspected captures. */
  scansReversed: boolean;
};

export type CgcScan = { label: "Obverse" | "Reverse"; path: string };

/** The value of a field. "" if the page doesn't have it. */
export function cgcField(card: CgcCard, label: string): string {
  return card.pairs.find(([name]) => name === label)?.[1] ?? "";
}

/** Sports cards have a manufacturer and a player. Game cards have a card name and a game. */
export function isSportsCard(card: CgcCard): boolean {
  return card.pairs.some(([name]) => name === "Player Name");
}

/** "6016747097" as printed on labels and in image names: "6016747-097". */
export function dashed(certNumber: string): string {
  return `${certNumber.slice(0, -3)}-${certNumber.slice(-3)}`;
}
