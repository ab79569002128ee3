import { type ComponentType, lazy, type LazyExoticComponent, useState } from "react";
import { toast } from "./toast.tsx";

/** A component that is loaded when it is first shown. One that cannot be loaded is said; the page around it stays as it is. */
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

/** Whether something has been so at any time: what was loaded for it stays, so that it can close in its own time. */
export function useEver(is: boolean): boolean {
  const [was, setWas] = useState(is);
  if (is && !was) setWas(true);
  return was;
}
