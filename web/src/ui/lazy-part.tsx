import { type ComponentType, lazy, type LazyExoticComponent, type ReactNode, Suspense, useState } from "react";
import { toast } from "./toast.tsx";

/**
 * A component that is loaded when first shown. If loading fails, it shows an error and the rest of the page keeps
 * working.
 */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async (): Promise<{ default: ComponentType<Props> }> => ({ default: await load().catch(notLoaded) }));
}

function notLoaded(): () => null {
  toast.error({
    id: "part-not-loaded",
    message: "This part of the page could not be loaded. Check the connection and reload the page.",
  });
  return () => null;
}

/** True once `is` has been true, so that a lazy component stays mounted for its closing animation. */
export function useEver(is: boolean): boolean {
  const [was, setWas] = useState(is);
  if (is && !was) setWas(true);
  return was;
}

/** Mounts a lazy dialog or drawer once it is opened. */
export function OnceOpen({ isOpen, children }: { isOpen: boolean; children: ReactNode }): ReactNode {
  const wasOpen = useEver(isOpen);
  return wasOpen && <Suspense fallback={null}>{children}</Suspense>;
}
