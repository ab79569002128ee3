import { createHash } from "node:crypto";

/** A random number generator. The same seed text gives the same numbers on every machine. */
export type Seeded = {
  /** At least 0, below 1. */
  next(): number;
  /** An integer from `low` to `high`, both included. */
  int(low: number, high: number): number;
  pick<T>(list: readonly [T, ...T[]]): T;
  chance(probability: number): boolean;
  hex(length: number): string;
  /** Letters, digits, "-" and "_", as in PSA's image names. */
  token(length: number): string;
};

const TOKEN_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

export function seeded(seed: string): Seeded {
  let block = Buffer.alloc(0);
  let blocksUsed = 0;
  let at = 0;
  const next = (): number => {
    if (at >= block.length) {
      block = createHash("sha256").update(`${blocksUsed} ${seed}`).digest();
      blocksUsed += 1;
      at = 0;
    }
    const number = block.readUInt32BE(at) / 2 ** 32;
    at += 4;
    return number;
  };
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  const letters = (alphabet: string, length: number): string => {
    let text = "";
    for (let index = 0; index < length; index += 1) text += alphabet.charAt(int(0, alphabet.length - 1));
    return text;
  };
  return {
    next,
    int,
    pick: (list) => list[int(0, list.length - 1)] ?? list[0],
    chance: (probability) => next() < probability,
    hex: (length) => letters("0123456789abcdef", length),
    token: (length) => letters(TOKEN_LETTERS, length),
  };
}
