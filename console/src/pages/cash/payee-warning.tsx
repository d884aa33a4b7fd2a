import { payeeWarningOf } from "@manilla/client";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { texts } from "./texts";

/** The name on the account beside the question whether it is to be used all the same. */
export function PayeeWarning({
  error,
  isRunning,
  onUse,
}: {
  error: unknown;
  isRunning: boolean;
  onUse: (payeeCheckId: string) => void;
}) {
  const t = useTexts(texts);
  const warning = payeeWarningOf(error);
  if (warning === undefined) return null;
  const { payeeCheckId, accountName } = warning;
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 rounded-lg border border-line px-3 py-2.5">
      <p className="min-w-0 [overflow-wrap:anywhere]">
        {accountName === undefined ? t.payeeUnknown : t.payeeDiffers(accountName)}
      </p>
      <Button variant="danger" busy={isRunning} onClick={() => onUse(payeeCheckId)}>
        {t.useAnyway}
      </Button>
    </div>
  );
}
