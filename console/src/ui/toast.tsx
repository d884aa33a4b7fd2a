import { CheckCircle2, X } from "lucide-react";
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { useTexts } from "../lib/language";
import { IconButton } from "./button";
import { uiTexts } from "./texts";

interface Message {
  id: number;
  text: string;
}

const shownMs = 6_000;
const ToastContext = createContext<(text: string) => void>(() => undefined);

/** `const toast = useToast(); toast("Approved")` */
export function useToast(): (text: string) => void {
  return useContext(ToastContext);
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const t = useTexts(uiTexts);
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const count = useRef(0);
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());
  const dismiss = useCallback((id: number) => setMessages((all) => all.filter((one) => one.id !== id)), []);
  const say = useCallback(
    (text: string) => {
      const id = (count.current += 1);
      setMessages((all) => [...all.slice(-2), { id, text }]);
      timers.current.add(setTimeout(() => dismiss(id), shownMs));
    },
    [dismiss],
  );
  useEffect(() => {
    const all = timers.current;
    return () => all.forEach(clearTimeout);
  }, []);
  const region = useMemo(
    () => (
      <div
        role="status"
        aria-live="polite"
        className="fixed right-4 bottom-4 left-4 z-50 flex flex-col items-end gap-2 pointer-events-none"
      >
        {messages.map(({ id, text }) => (
          <div
            key={id}
            className="pointer-events-auto flex max-w-md items-center gap-2 rounded-lg border border-line bg-raised py-1.5 pr-1.5 pl-3 shadow-lg"
          >
            <CheckCircle2 size={16} className="shrink-0 text-good" aria-hidden />
            <span>{text}</span>
            <IconButton icon={X} label={t.dismiss} onClick={() => dismiss(id)} />
          </div>
        ))}
      </div>
    ),
    [messages, t, dismiss],
  );
  return (
    <ToastContext value={say}>
      {children}
      {region}
    </ToastContext>
  );
}
