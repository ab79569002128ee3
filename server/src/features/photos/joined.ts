/** Shares one run of `work` among concurrent callers with the same name. */
export function joined<T>(): (name: string, work: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  return (name, work) => {
    const running = underWay.get(name) ?? work().finally(() => underWay.delete(name));
    underWay.set(name, running);
    return running;
  };
}
