import { useEffect, useRef, type RefObject } from "react";

/**
 * Gives what it is put on the focus as it comes, or the first of `within` in it: whoever works by
 * keys goes on there.
 */
export function useFocus<Of extends HTMLElement>(within?: string): RefObject<Of | null> {
  const ref = useRef<Of>(null);
  useEffect(() => {
    const own = within === undefined ? ref.current : ref.current?.querySelector<HTMLElement>(within);
    own?.focus();
  }, []);
  return ref;
}
