/** A piece of a cell: as typed, or white space that is easily overlooked, as a sign with its name. */
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

/** Spaces at either end, more than one in a row, and whatever white space is none that a keyboard's space bar types. */
const OVERLOOKED = /\r\n|^ +| +$| {2,}|[\t\n\r\u00a0\u202f\u200b\ufeff]|\u200c|\u200d/gu;

/** A cell exactly as typed, cut where white space matters. A single space between words is just that. */
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

/** The same as one text. */
export function visibleText(cell: string): string {
  return piecesOf(cell)
    .map(({ text }) => text)
    .join("");
}

/** What the signs in these cells mean: "· space, → tab"; null when there are none. */
export function legendOf(cells: readonly string[]): string | null {
  const signs = new Map(
    cells.flatMap((cell) => piecesOf(cell).flatMap(({ text, name }) => (name === null ? [] : [[text, name] as const]))),
  );
  return signs.size === 0 ? null : [...signs].map(([sign, name]) => `${sign} ${name}`).join(", ");
}
