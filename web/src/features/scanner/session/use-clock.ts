import { useEffect, useState } from "react";
import { nextTickMs } from "../../../ui/wait-messages.ts";

/**
 * The current time in milliseconds, updated as often as the countdowns change: every minute, and every second near the
 * end.
 */
export function useClock(untils: readonly string[]): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  const times = untils.join(" ");
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tick = (): void => {
      const now = Date.now();
      setNowMs(now);
      const delay = nextTickMs(times === "" ? [] : times.split(" "), now);
      if (delay !== null) timer = setTimeout(tick, delay);
    };
    tick();
    return () => clearTimeout(timer);
  }, [times]);
  return nowMs;
}
