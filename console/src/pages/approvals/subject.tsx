import { useQuery } from "@tanstack/react-query";
import { Link } from "../../app/link";
import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { read } from "../../lib/queries";
import { inWords } from "../../ui/words";
import { Diff, KeyValue } from "../../ui/facts";
import { Id, Money } from "../../ui/figures";
import { Loaded } from "../../ui/panels";
import type { Approval } from "./queue";
import { difference, sum } from "../../lib/exact";
import { texts } from "./texts";

/** Where each kind of subject is shown: "transaction:…" → its page. */
const pages: Readonly<Record<string, (id: string) => string>> = {
  transaction: (id) => `/transactions/${id}`,
  screening: (id) => `/screenings/${id}`,
  loan: (id) => `/loans/${id}`,
  "loan-application": (id) => `/loans/${id}`,
  repayment: () => "/loan-repayments",
  customer: (id) => `/customers/${id}`,
};

function partsOf({ subject }: Approval): [kind: string, id: string] {
  const [kind = "", ...rest] = subject.split(":");
  return [kind, rest.join(":")];
}

export function SubjectLink({ approval }: { approval: Approval }) {
  const [kind, id] = partsOf(approval);
  const page = pages[kind];
  if (page === undefined || id === "") return <Id value={approval.subject} />;
  return (
    <Link to={page(id)} className="link">
      {inWords(kind)}
    </Link>
  );
}

/** What the decision makes of what is there now, where this page knows the subject. */
export function WhatChanges({ approval }: { approval: Approval }) {
  const [kind, id] = partsOf(approval);
  if (approval.kind === "REFUND" && kind === "transaction")
    return <RefundChanges approval={approval} transactionId={id} />;
  return <Facts approval={approval} />;
}

function RefundChanges({ approval, transactionId }: { approval: Approval; transactionId: string }) {
  const t = useTexts(texts);
  const transaction = useQuery(
    read("transactions", "readTransaction", { transactionId }, (options) =>
      api.transactions.read(transactionId, options),
    ),
  );
  return (
    <Loaded query={transaction} lines={2}>
      {({ totalAmount, sendCurrency, refundedAmount = difference(totalAmount, totalAmount) }) => {
        const after = sum(refundedAmount, approval.amount ?? "0");
        const money = (amount: string) => <Money amount={amount} currency={sendCurrency} />;
        return (
          <Diff
            changes={[
              { field: t.refundedTotal, before: money(refundedAmount), after: money(after) },
              {
                field: t.stays,
                before: money(difference(totalAmount, refundedAmount)),
                after: money(difference(totalAmount, after)),
              },
            ]}
          />
        );
      }}
    </Loaded>
  );
}

function Facts({ approval }: { approval: Approval }) {
  const t = useTexts(texts);
  return <KeyValue columns={1} facts={[{ label: t.changes, value: approval.summary }]} />;
}
