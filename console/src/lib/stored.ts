import { useSyncExternalStore } from "react";

/** A choice of this browser, shared by its tabs. */
export interface Stored<T extends string> {
  get(): T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
}

export function stored<T extends string>(key: string, fallback: T, isValid: (text: string) => boolean): Stored<T> {
  const listeners = new Set<() => void>();
  const read = (): T => {
    const text = localStorage.getItem(key);
    return text !== null && isValid(text) ? (text as T) : fallback;
  };
  return {
    get: read,
    set(value) {
      localStorage.setItem(key, value);
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      const onStorage = (event: StorageEvent) => event.key === key && listener();
      addEventListener("storage", onStorage);
      listeners.add(listener);
      return () => {
        removeEventListener("storage", onStorage);
        listeners.delete(listener);
      };
    },
  };
}

export function useStored<T extends string>(store: Stored<T>): T {
  return useSyncExternalStore(
    (listener) => store.subscribe(listener),
    () => store.get(),
  );
}
