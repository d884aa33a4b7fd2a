import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "./button";
import { Dialog, DialogActions } from "./dialog";

interface Props {
  title: string;
  secret: string;
  words: Readonly<Record<"secretHint" | "copy" | "copied" | "haveIt", string>>;
  onClose: () => void;
}

/** A secret that nobody can read again: it is left by saying that one has it. */
export function ShownOnce({ title, secret, words, onClose }: Props) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => void navigator.clipboard.writeText(secret).then(() => setCopied(true));
  return (
    <Dialog title={title} isFirm onClose={onClose}>
      <p className="mb-3">{words.secretHint}</p>
      <code
        data-testid="secret"
        className="block rounded-md border border-line bg-canvas p-3 font-mono text-xs [overflow-wrap:anywhere]"
      >
        {secret}
      </code>
      <p role="status" className="sr-only">
        {isCopied && words.copied}
      </p>
      <DialogActions>
        <Button icon={isCopied ? Check : Copy} onClick={copy}>
          {isCopied ? words.copied : words.copy}
        </Button>
        <Button variant="primary" onClick={onClose}>
          {words.haveIt}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
