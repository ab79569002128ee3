import {
  DEFAULT_PREFERENCES,
  parsePreferences,
  PREFERENCE_KEYS,
  type PreferenceKey,
  type TablePreferences,
} from "./table-preferences.ts";

/** Where a person's arrangement is kept: on the server, and a copy in this browser for the first paint. */
export type ViewKeeping = {
  load: () => Promise<string | null>;
  save: (text: string, isLeaving: boolean) => Promise<void>;
  readCopy: () => string | null;
  writeCopy: (text: string) => void;
  /** What was neither loaded nor saved; the table works on without. */
  onFailure: (error: unknown) => void;
};

/** `isLoaded`: the server has said what it keeps, or could not. */
export type PersonViewState = { preferences: TablePreferences; isLoaded: boolean };

/** A column is dragged through many widths: only where it comes to rest is sent. */
const REST_MS = 600;

/**
 * One person's arrangement of the table, shared by all tables of the page. It begins with this browser's copy; what the
 * server keeps takes its place once it is there. Other pages and computers of the person write the same arrangement, so
 * only what was changed here is put onto what the server keeps by then, and nothing is sent before that is known. Each
 * change goes into the copy at once and to the server after a rest, one call at a time, so that the last one stays.
 */
export class PersonView {
  readonly #keeping: ViewKeeping;
  readonly #listeners = new Set<() => void>();
  #state: PersonViewState;
  /** What was changed here and the server has not taken yet. */
  #unsent: ReadonlySet<PreferenceKey> = new Set();
  /** The server has said what it keeps, at least once. */
  #isKnown = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking: Promise<void> | null = null;
  #calls: Promise<void> = Promise.resolve();

  constructor(keeping: ViewKeeping) {
    this.#keeping = keeping;
    this.#state = { preferences: parseText(keeping.readCopy()), isLoaded: false };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getSnapshot = (): PersonViewState => this.#state;

  readonly change = (next: (current: TablePreferences) => TablePreferences): void => {
    const before = this.#state.preferences;
    const preferences = next(before);
    const changed = changedKeys(before, preferences);
    if (changed.length === 0) return;
    this.#unsent = new Set([...this.#unsent, ...changed]);
    this.#show({ ...this.#state, preferences });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.settle, REST_MS);
  };

  /** Asks the server, unless it has said already. */
  load(): Promise<void> {
    return this.#isKnown ? Promise.resolve() : this.refresh();
  }

  /** Asks the server what the person has changed elsewhere in the meantime. */
  readonly refresh = (): Promise<void> => {
    this.#asking ??= this.#inTurn(() => this.#exchange()).finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  };

  /** Sends what rests still; the page stays for the answer. */
  readonly settle = (): void => {
    clearTimeout(this.#timer);
    if (this.#unsent.size > 0) void this.#inTurn(() => this.#exchange());
  };

  /** Sends what rests still; the page goes away, so there is no time to ask first. */
  readonly leave = (): void => {
    clearTimeout(this.#timer);
    if (this.#isKnown) void this.#save(true).catch(this.#keeping.onFailure);
  };

  #show(state: PersonViewState): void {
    if (state.preferences !== this.#state.preferences) this.#keeping.writeCopy(JSON.stringify(state.preferences));
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }

  #inTurn(call: () => Promise<void>): Promise<void> {
    this.#calls = this.#calls.then(call).catch(this.#keeping.onFailure);
    return this.#calls;
  }

  /** Takes over what the server keeps, below what was changed here, and sends that if there is any. */
  async #exchange(): Promise<void> {
    const here = (): TablePreferences => this.#state.preferences;
    try {
      const text = await this.#keeping.load();
      this.#isKnown = true;
      const merged = text === null ? here() : withKeys(parseText(text), here(), this.#unsent);
      const isNews = changedKeys(here(), merged).length > 0;
      this.#show({ preferences: isNews ? merged : here(), isLoaded: true });
    } catch (error) {
      this.#show({ ...this.#state, isLoaded: true });
      throw error;
    }
    await this.#save(false);
  }

  async #save(isLeaving: boolean): Promise<void> {
    const sent = this.#unsent;
    if (sent.size === 0) return;
    this.#unsent = new Set();
    try {
      await this.#keeping.save(JSON.stringify(this.#state.preferences), isLeaving);
    } catch (error) {
      this.#unsent = new Set([...sent, ...this.#unsent]);
      throw error;
    }
  }
}

function changedKeys(before: TablePreferences, after: TablePreferences): PreferenceKey[] {
  return PREFERENCE_KEYS.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
}

/** `base` with what `from` has under the keys. */
function withKeys(base: TablePreferences, from: TablePreferences, keys: Iterable<PreferenceKey>): TablePreferences {
  return [...keys].reduce((merged, key) => ({ ...merged, [key]: from[key] }), base);
}

function parseText(text: string | null): TablePreferences {
  if (text === null) return DEFAULT_PREFERENCES;
  try {
    return parsePreferences(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return DEFAULT_PREFERENCES;
    throw error;
  }
}
