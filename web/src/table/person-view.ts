import {
  DEFAULT_PREFERENCES,
  parsePreferences,
  PREFERENCE_KEYS,
  type PreferenceKey,
  type TablePreferences,
} from "./table-preferences.ts";

/** Where a user's table settings are stored: on the server, with a copy in this browser for the first paint. */
export type ViewKeeping = {
  load: () => Promise<string | null>;
  save: (text: string, isLeaving: boolean) => Promise<void>;
  readCopy: () => string | null;
  writeCopy: (text: string) => void;
  /** Called when a load or save fails; the table stays usable. */
  onFailure: (error: unknown) => void;
};

/** `isLoaded`: the first load has succeeded or failed. */
export type PersonViewState = { preferences: TablePreferences; isLoaded: boolean };

/** Delay before a change is sent, in milliseconds, so that a column drag sends only the final width. */
const REST_MS = 600;

/**
 * One user's table settings, shared by all tables of the page. Starts with this browser's copy and replaces it with the
 * server's settings once they are loaded. Other pages and computers of the user write the same settings, so a change is
 * merged into the latest server settings, and nothing is sent before the first load. Each change updates the copy at
 * once and the server after a delay. Calls run one at a time, so that the last change wins.
 */
export class PersonView {
  readonly #keeping: ViewKeeping;
  readonly #listeners = new Set<() => void>();
  #state: PersonViewState;
  /** Keys changed here and not yet saved on the server. */
  #unsent: ReadonlySet<PreferenceKey> = new Set();
  /** The server's settings were loaded at least once. */
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

  /** Loads the server's settings unless they are loaded. */
  load(): Promise<void> {
    return this.#isKnown ? Promise.resolve() : this.refresh();
  }

  /** Reloads the server's settings, to get changes made elsewhere. */
  readonly refresh = (): Promise<void> => {
    this.#asking ??= this.#inTurn(() => this.#exchange()).finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  };

  /** Sends unsaved changes now, merged into the latest server settings. */
  readonly settle = (): void => {
    clearTimeout(this.#timer);
    if (this.#unsent.size > 0) void this.#inTurn(() => this.#exchange());
  };

  /** Sends unsaved changes while the page unloads, without loading first. */
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

  /** Loads the server's settings, applies local changes on top, and saves those changes if there are any. */
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

/** Returns `base` with the values of `keys` taken from `from`. */
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
