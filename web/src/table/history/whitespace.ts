/** A piece of a cell: typed text, or a symbol and its name for white space that is easy to miss. */
type Piece = { text: string; name: string | null };

const SIGNS: Readonly<Record<string, { sign: string; name: string }>> = {
  " ": { sign: "·", name: "space" },
  "\t": { sign: "→", name: "tab" },
  "\n": { sign: "↵", name: "line break" },
  "\r": { sign: "↵", name: "line break" },
  "\u00a0": { sign: "⍽", name: "no-break space" },
  "\u202f": { sign: "⍽", name: "no-break space" },
  "\u200b": { sign: "¦", name: "sign without width" },
  "\u200c": { sign: "¦", name: "sign without width" },
  "\u200d": { sign: "¦", name: "sign without width" },
  "\ufeff": { sign: "¦", name: "sign without width" },
};

/** Spaces at either end, repeated spaces, and every white-space character other than a plain space. */
const OVERLOOKED = /\r\n|^ +| +$| {2,}|[\t\n\r\u00a0\u202f\u200b\ufeff]|\u200c|\u200d/gu;

/** Splits a cell, exactly as typed, at significant white space. A single space between words stays in its text. */
export function piecesOf(cell: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of cell.matchAll(OVERLOOKED)) {
    if (match.index > end) pieces.push({ text: cell.slice(end, match.index), name: null });
    const [white] = match;
    const shown = white === "\r\n" ? "\n" : white;
    for (const character of shown) {
      const { sign, name } = SIGNS[character] ?? { sign: character, name: null };
      pieces.push({ text: sign, name });
    }
    end = match.index + white.length;
  }
  if (end < cell.length) pieces.push({ text: cell.slice(end), name: null });
  return pieces;
}

/** The cell as one string, with symbols for significant white space. */
export function visibleText(cell: string): string {
  return piecesOf(cell)
    .map(({ text }) => text)
    .join("");
}

/** Explains the symbols in these cells: "· space, → tab"; null if there are none. */
export function legendOf(cells: readonly string[]): string | null {
  const signs = new Map(
    cells.flatMap((cell) => piecesOf(cell).flatMap(({ text, name }) => (name === null ? [] : [[text, name] as const]))),
  );
  return signs.size === 0 ? null : [...signs].map(([sign, name]) => `${sign} ${name}`).join(", ");
}
