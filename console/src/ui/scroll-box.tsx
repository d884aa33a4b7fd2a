import { useEffect, useRef, useState, type ReactNode } from "react";

/** Scrolls sideways where its content is too wide; the keyboard can then go to it and scroll it. */
export function ScrollBox({ className = "", children }: { className?: string; children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null);
  const [isTooWide, setTooWide] = useState(false);
  useEffect(() => {
    const box = ref.current;
    if (!box) return;
    const observer = new ResizeObserver(() => setTooWide(box.scrollWidth > box.clientWidth));
    observer.observe(box);
    for (const child of box.children) observer.observe(child);
    return () => observer.disconnect();
  }, [children]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by the keyboard.
    <div ref={ref} className={`overflow-x-auto ${className}`} {...(isTooWide && { tabIndex: 0 })}>
      {children}
    </div>
  );
}
