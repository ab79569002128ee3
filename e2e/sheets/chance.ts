const MODULUS = 2 ** 31 - 1;

/** A random generator with a seed. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = ((seed + 1) * 69_621) % MODULUS;
    for (let warmUp = 0; warmUp < 3; warmUp += 1) this.next();
  }

  /** A number from 0 to 1 (Park and Miller's generator). */
  next(): number {
    this.#state = (this.#state * 48_271) % MODULUS;
    return this.#state / MODULUS;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  isIn(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[this.below(list.length)] ?? list[0];
  }

  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((item) => ({ item, at: this.next() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ item }) => item);
  }
}
