import type { Page } from "@playwright/test";

/** From key to key. The browser believes the time that comes with a key, however late a busy machine brings it. */
const KEY_S = 0.01;

/** Types as a USB scanner does: the keys at its own pace and Enter, to whatever has the focus. */
export async function scanBy(page: Page, text: string): Promise<void> {
  const keyboard = await page.context().newCDPSession(page);
  const startedAtS = Date.now() / 1000;
  const keys = Array.from(text, (key) => ({ key, text: key }));
  const enter = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 13, text: "\r" };
  // The browser takes the keys in the order in which they are sent.
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
