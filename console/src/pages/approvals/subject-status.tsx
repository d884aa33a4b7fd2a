import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api } from "../../lib/api";
import { difference, sum } from "../../lib/exact";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { Diff, type Change } from "../../ui/facts";
import { Money } from "../../ui/figures";
import { Loaded } from "../../ui/panels";
import { inWords } from "../../ui/words";
import { texts } from "./texts";
import type { Approval } from "./types";

interface Props {
  approval: Approval;
  id: string;
}

/** What stands where the money moves, as it is now, and after it has moved; by kind and subject. */
export const subjectStatuses: Readonly<Record<string, (props: Props) => ReactNode>> = {
  "REFUND transaction": TransactionStatus,
  "REVERSAL transaction": TransactionStatus,
  "REFUND payment": PaymentStatus,
  "DISBURSEMENT loan-application": ApplicationStatus,
  "CASH_IN wallet": WalletStatus,
};

/** Before and after of a sum that grows by what is approved, and of what is left of the whole. */
function useRefunded() {
  const t = useTexts(texts);
  return ({ whole, refunded, by, currency }: Record<"whole" | "refunded" | "by" | "currency", string>): Change[] => {
    const after = sum(refunded, by);
    const money = (amount: string) => <Money amount={amount} currency={currency} />;
    return [
      { field: t.refundedTotal, before: money(refunded), after: money(after) },
      { field: t.stays, before: money(difference(whole, refunded)), after: money(difference(whole, after)) },
    ];
  };
}

function TransactionStatus({ approval, id }: Props) {
  const changesOf = useRefunded();
  const transaction = useQuery(
    read("transactions", "readTransaction", { transactionId: id }, (options) => api.transactions.read(id, options)),
  );
  return (
    <Loaded query={transaction} lines={2}>
      {({ totalAmount: whole, sendCurrency: currency, refundedAmount: refunded = difference(whole, whole) }) => (
        <Diff changes={changesOf({ whole, refunded, by: approval.amount ?? "0", currency })} />
      )}
    </Loaded>
  );
}

function PaymentStatus({ approval, id }: Props) {
  const changesOf = useRefunded();
  const payment = useQuery(
    read("wallets", "readPayment", { paymentId: id }, (options) => api.payments.read(id, options)),
  );
  return (
    <Loaded query={payment} lines={2}>
      {({ totalCheckOutAmount, refundedAmount: refunded, currency }) => (
        <Diff
          changes={changesOf({ whole: String(totalCheckOutAmount), refunded, by: approval.amount ?? "0", currency })}
        />
      )}
    </Loaded>
  );
}

function ApplicationStatus({ approval, id }: Props) {
  const t = useTexts(texts);
  const application = useQuery(
    read("loans", "readLoanApplication", { loanApplicationId: id }, (options) =>
      api.loans.readApplication(id, options),
    ),
  );
  return (
    <Loaded query={application} lines={3}>
      {({ offer, disbursementStatus }) => {
        const { amount = "0", currency } = approval;
        const money = (text: string) => <Money amount={text} currency={currency} />;
        return (
          <Diff
            changes={[
              { field: t.disbursement, before: inWords(disbursementStatus), after: inWords("PAYING") },
              { field: t.received, before: money(difference(amount, amount)), after: money(offer.disbursedAmount) },
              { field: t.owedAfter, before: money(difference(amount, amount)), after: money(amount) },
            ]}
          />
        );
      }}
    </Loaded>
  );
}

function WalletStatus({ approval, id }: Props) {
  const t = useTexts(texts);
  const wallet = useQuery(
    read("wallets", "readWalletAccount", { accountId: id }, (options) => api.payments.readWalletAccount(id, options)),
  );
  return (
    <Loaded query={wallet} lines={2}>
      {({ availableBalance, currency, accountNumber }) => {
        const after = sum(availableBalance, approval.amount ?? "0");
        return (
          <Diff
            changes={[
              {
                field: t.walletBalance(accountNumber),
                before: <Money amount={availableBalance} currency={currency} />,
                after: <Money amount={after} currency={currency} />,
              },
            ]}
          />
        );
      }}
    </Loaded>
  );
}
