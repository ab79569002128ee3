/** A piece of a cell: typed text, or a symbol and its name for white space that is easy to miss. */
type Piece = { text: string; name: string | null };

const SIGNS = [
  { characters: " ", sign: "·", name: "space" },
  { characters: "\t", sign: "→", name: "tab" },
  { characters: "\r\n", sign: "↵", name: "line break" },
  { characters: "\u00a0\u202f", sign: "⍽", name: "no-break space" },
  { characters: "\u200b\u200c\u200d\ufeff", sign: "¦", name: "sign without width" },
];

/** Spaces at either end, repeated spaces, and every white-space character other than a plain space. */
const OVERLOOKED = /(\r\n|^ +| +$| {2,}|[\t\n\r\u00a0\u202f\u200b\ufeff]|\u200c|\u200d)/u;

/** Splits a cell, exactly as typed, at significant white space. A single space between words stays in its text. */
export function piecesOf(cell: string): Piece[] {
  return cell.split(OVERLOOKED).flatMap((text, index): Piece[] => {
    if (index % 2 === 0) return text === "" ? [] : [{ text, name: null }];
    return Array.from(text.replace("\r\n", "\n")).flatMap((character) =>
      SIGNS.filter(({ characters }) => characters.includes(character)).map(({ sign, name }) => ({ text: sign, name })),
    );
  });
}

/** The cell as one string, with symbols for significant white space. */
export const visibleText = (cell: string): string => Array.from(piecesOf(cell), ({ text }) => text).join("");

/** Explains the symbols in these cells: "· space, → tab"; null if there are none. */
export function legendOf(cells: readonly string[]): string | null {
  const signs = new Map(
    cells.flatMap((cell) => piecesOf(cell).flatMap(({ text, name }) => (name === null ? [] : [[text, name] as const]))),
  );
  return signs.size === 0 ? null : [...signs].map(([sign, name]) => `${sign} ${name}`).join(", ");
}
