import { useEffect, useState } from "react";
import { nextTickMs } from "../../table/wait-messages.ts";

/** The time now, in milliseconds, as often as the words of these times change: once a minute, at last once a second. */
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
