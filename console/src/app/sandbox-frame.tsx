import { FlaskConical } from "lucide-react";
import type { ReactNode } from "react";
import { isSandbox } from "../lib/environment";
import { useTexts } from "../lib/language";
import { appTexts } from "./texts";

/** A frame around everything in the sandbox, so that nobody takes it for the live desk. */
export function SandboxFrame({ children }: { children: ReactNode }) {
  const t = useTexts(appTexts);
  if (!isSandbox) return <div className="flex h-dvh flex-col">{children}</div>;
  return (
    <div className="flex h-dvh flex-col border-4 border-t-0 border-sandbox">
      <p className="flex shrink-0 items-center justify-center gap-1.5 bg-sandbox py-0.5 text-xs font-semibold text-sandbox-ink">
        <FlaskConical size={13} aria-hidden />
        {t.sandboxFrame}
      </p>
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">{children}</div>
    </div>
  );
}
