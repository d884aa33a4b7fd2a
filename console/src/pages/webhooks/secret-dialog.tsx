import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { useTexts } from "../../i18n/language";
import { Button } from "../../ui/button";
import { Dialog, DialogActions } from "../../ui/dialog";
import { texts } from "./texts";

/** A secret that nobody can read again: the dialog is left by saying that one has it. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const t = useTexts(texts);
  const [isCopied, setCopied] = useState(false);
  const copy = () => void navigator.clipboard.writeText(secret).then(() => setCopied(true));
  return (
    <Dialog title={t.secret} isFirm onClose={onClose}>
      <p className="mb-3">{t.secretHint}</p>
      <code
        data-testid="secret"
        className="block rounded-md border border-line bg-canvas p-3 font-mono text-xs [overflow-wrap:anywhere]"
      >
        {secret}
      </code>
      <p role="status" className="sr-only">
        {isCopied && t.copied}
      </p>
      <DialogActions>
        <Button icon={isCopied ? Check : Copy} onClick={copy}>
          {isCopied ? t.copied : t.copy}
        </Button>
        <Button look="primary" onClick={onClose}>
          {t.haveIt}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
