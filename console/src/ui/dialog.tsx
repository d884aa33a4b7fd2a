import { X } from "lucide-react";
import { useEffect, useId, useRef, type ReactNode } from "react";
import { useTexts } from "../lib/language";
import { IconButton } from "./button";
import { uiTexts } from "./texts";

interface Props {
  title: ReactNode;
  onClose: () => void;
  children: ReactNode;
  /** Cannot be left: something must be answered first. */
  isFirm?: boolean;
  wide?: boolean;
}

/**
 * A native modal dialog: focus, Escape and what lies below it are the
 * browser's. Shown while it is rendered.
 */
export function Dialog({ title, onClose, children, isFirm = false, wide = false }: Props) {
  const t = useTexts(uiTexts);
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (dialog && !dialog.open) openModal(dialog);
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      className={`${wide ? "w-[min(860px,calc(100vw-24px))]" : "w-[min(480px,calc(100vw-24px))]"} rounded-xl border border-line bg-raised p-0 shadow-xl`}
      onCancel={(event) => {
        event.preventDefault();
        if (!isFirm) onClose();
      }}
    >
      <div className="flex items-center justify-between gap-3 border-b border-line px-4 py-2.5">
        <h2 id={titleId} className="text-lg font-semibold">
          {title}
        </h2>
        {!isFirm && <IconButton icon={X} label={t.close} onClick={onClose} />}
      </div>
      <div className="max-h-[78dvh] overflow-y-auto p-4">{children}</div>
    </dialog>
  );
}

/** The browser would give the focus to the first button; who opens a dialog wants to type. */
export function openModal(dialog: HTMLDialogElement): void {
  dialog.showModal();
  dialog.querySelector<HTMLElement>("input:not([readonly]), textarea, select")?.focus();
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-4 flex flex-wrap justify-end gap-2">{children}</div>;
}
