/** A value that changes, with what `useSyncExternalStore` needs. Subscribers are called after each change. */
export class Store<Snapshot> {
  readonly #listeners = new Set<() => void>();
  #snapshot: Snapshot;

  constructor(initial: Snapshot) {
    this.#snapshot = initial;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getSnapshot = (): Snapshot => this.#snapshot;

  protected publish(snapshot: Snapshot): void {
    this.#snapshot = snapshot;
    for (const listener of this.#listeners) listener();
  }

  /** Publishes the snapshot with some of its fields changed. */
  protected change(fields: Partial<Snapshot>): void {
    this.publish({ ...this.#snapshot, ...fields });
  }
}
