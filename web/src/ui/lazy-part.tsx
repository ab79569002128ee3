import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { Boundary, PartNotLoadedError, reloadPage } from "./Boundary.tsx";
import { toast } from "./toast.tsx";

/** A component that is loaded when first shown. If loading fails, the nearest `Boundary` says so. */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>) {
  const part = lazy(async (): Promise<{ default: ComponentType<Props> }> => ({ default: await load().catch(explain) }));
  // If this fails, showing the part tries again and says so.
  const preload = (): void => void load().catch(() => undefined);
  return Object.assign(part, { preload });
}

/** Long enough for a new page to load and show its data first. */
const PRELOAD_DELAY_MS = 2_000;

/** Loads parts that are probably shown soon. Takes one value for the component's lifetime. */
export function usePreload(parts: readonly { preload: () => void }[]): void {
  useEffect(() => {
    const timer = setTimeout(() => parts.forEach(({ preload }) => preload()), PRELOAD_DELAY_MS);
    return () => clearTimeout(timer);
  }, [parts]);
}

/** The files of a page that was loaded before an update are gone from the server. */
async function explain(cause: unknown): Promise<never> {
  const isAnswering = await fetch("/", { method: "HEAD", cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
  const message = isAnswering
    ? "Slabdesk was updated."
    : "This part of the page could not be loaded. Check the connection and reload the page.";
  throw new PartNotLoadedError(message, { cause });
}

/** True once `is` has been true, so that a lazy component stays mounted for its closing animation. */
export function useEver(is: boolean): boolean {
  const [was, setWas] = useState(is);
  if (is && !was) setWas(true);
  return was;
}

/** Mounts a lazy dialog or drawer once it is opened. If it fails, a toast says so each time it is opened. */
export function OnceOpen({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  if (!useEver(isOpen)) return null;
  return (
    <Boundary name="This dialog" resetKey={isOpen} fallback={null} onError={showError}>
      <Suspense fallback={null}>{children}</Suspense>
    </Boundary>
  );
}

function showError(error: unknown): void {
  const message =
    error instanceof PartNotLoadedError ? error.message : "This can't be shown because of an error in Slabdesk.";
  toast.error({ id: "part-failed", message, action: { label: "Reload", run: reloadPage } });
}
