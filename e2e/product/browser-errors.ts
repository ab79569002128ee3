import type { BrowserContext } from "@playwright/test";

/** Collects errors in browsers' consoles and uncaught exceptions. */
export class BrowserErrors {
  readonly #heard: string[] = [];
  readonly #expected: RegExp[] = [];

  listenTo(context: BrowserContext): void {
    context.on("console", (message) => {
      if (message.type() === "error") this.#heard.push(`${message.text()} (${message.location().url})`);
    });
    context.on("weberror", (error) => this.#heard.push(error.error().stack ?? error.error().message));
  }

  /** Declares an error that the journey causes on purpose; any other fails it. */
  expect(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  get unexpected(): string[] {
    return this.#heard.filter((message) => !this.#expected.some((pattern) => pattern.test(message)));
  }
}
