import type { Page } from "@playwright/test";

/** The time between keys. The browser uses the time in the key event, even if a busy machine delivers it late. */
const KEY_S = 0.01;

/** Types like a USB scanner: fast keys and Enter, to the focused element. */
export async function scanBy(page: Page, text: string): Promise<void> {
  const keyboard = await page.context().newCDPSession(page);
  const startedAtS = Date.now() / 1000;
  const keys = Array.from(text, (key) => ({ key, text: key }));
  const enter = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 13, text: "\r" };
  // The browser handles the keys in the order sent.
  await Promise.all(
    [...keys, enter].flatMap((key, index) => {
      const timestamp = startedAtS + index * KEY_S;
      return [
        keyboard.send("Input.dispatchKeyEvent", { type: "keyDown", ...key, timestamp }),
        keyboard.send("Input.dispatchKeyEvent", { type: "keyUp", key: key.key, timestamp }),
      ];
    }),
  );
  await keyboard.detach();
}
