import { DEFAULT_PREFERENCES, parsePreferences, type TablePreferences } from "./table-preferences.ts";

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
 * server keeps takes its place once it is there, unless the person has arranged anything in the meantime. Each change
 * goes into the copy at once and to the server after a rest, one at a time, so that the last one stays.
 */
export class PersonView {
  readonly #keeping: ViewKeeping;
  readonly #listeners = new Set<() => void>();
  #state: PersonViewState;
  #isChanged = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #loading: Promise<void> | null = null;
  #sending: Promise<void> = Promise.resolve();

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
    const preferences = next(this.#state.preferences);
    if (preferences === this.#state.preferences) return;
    this.#isChanged = true;
    this.#show({ ...this.#state, preferences });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#send(false), REST_MS);
  };

  /** Asks the server, once. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<void> {
    try {
      const kept = await this.#keeping.load();
      const isNews = kept !== null && !this.#isChanged;
      this.#show({ preferences: isNews ? parseText(kept) : this.#state.preferences, isLoaded: true });
    } catch (error) {
      this.#keeping.onFailure(error);
      this.#show({ ...this.#state, isLoaded: true });
    }
  }

  /** Sends what rests still; the page may go away. */
  readonly leave = (): void => {
    if (this.#timer !== undefined) this.#send(true);
  };

  #show(state: PersonViewState): void {
    if (state.preferences !== this.#state.preferences) this.#keeping.writeCopy(JSON.stringify(state.preferences));
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }

  #send(isLeaving: boolean): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = JSON.stringify(this.#state.preferences);
    const save = (): Promise<void> => this.#keeping.save(text, isLeaving);
    this.#sending = (isLeaving ? save() : this.#sending.then(save)).catch(this.#keeping.onFailure);
  }
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
