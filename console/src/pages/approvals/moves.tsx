import { useTexts } from "../../lib/language";
import { KeyValue } from "../../ui/facts";
import { Money } from "../../ui/figures";
import { texts } from "./texts";
import type { Approval } from "./types";

/** Which money goes from where to where once it is approved; nothing where none moves. */
export function Moves({ approval, subject }: { approval: Approval; subject: string }) {
  const t = useTexts(texts);
  const { amount, currency, kind } = approval;
  const places: Readonly<Record<string, readonly [from: string, to: string]>> = {
    "REFUND transaction": [t.organisation, t.senderWallet],
    "REVERSAL transaction": [t.recipientWallet, t.senderWallet],
    "REFUND payment": [t.payee, t.payerWallet],
    "REFUND loan": [t.overpayment, t.borrower],
    "DISBURSEMENT loan-application": [t.lender, t.borrower],
    "WRITE_OFF loan": [t.owed, t.losses],
    "CASH_IN wallet": [t.tillCash, t.customerWallet],
    "REPAYMENT_VERIFICATION repayment": [t.bank, t.loan],
  };
  const [from, to] = places[`${kind} ${subject}`] ?? [];
  // A repayment that is to be rejected moves nothing.
  const isRejected = approval.changes?.some(
    ({ field, after }) => field === "verificationStatus" && after === "REJECTED",
  );
  if (from === undefined || amount === undefined || isRejected) return null;
  return (
    <KeyValue
      columns={3}
      facts={[
        { label: t.moves, value: <Money amount={amount} currency={currency} /> },
        { label: t.movesFrom, value: from },
        { label: t.movesTo, value: to },
      ]}
    />
  );
}
