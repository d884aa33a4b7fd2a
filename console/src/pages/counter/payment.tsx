import { useQuery } from "@tanstack/react-query";
import { Printer } from "lucide-react";
import type { ReactNode } from "react";
import { useTexts } from "../../lib/language";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { KeyValue } from "../../ui/facts";
import { Link } from "../../ui/link";
import { Loaded, Section } from "../../ui/panels";
import { useFocus } from "../../ui/use-focus";
import { wasPaid } from "../transactions/codes";
import { Paper } from "./paper";
import { Price } from "./price";
import { disclosureQuery, transactionQuery } from "./queries";
import { Sold } from "./sold";
import { StillAsked } from "./still-asked";
import { TakeCash } from "./take-cash";
import { texts } from "./texts";
import type { Transaction } from "./types";

interface Props {
  /** Its id, or the code that a customer names. */
  transactionId: string;
  onNext: () => void;
}

// What a colleague, the partner or compliance does with it is seen while it is shown.
const pollMs = 3_000;

/** A transaction at the counter: it waits for the cash, or was sold. */
export function Payment({ transactionId, onNext }: Props) {
  const transaction = useQuery({
    ...transactionQuery(transactionId),
    refetchInterval: ({ state }) => (/^(PAYING|AWAITING_COMPLIANCE)$/.test(state.data?.status ?? "") ? pollMs : false),
  });
  return (
    <Loaded query={transaction} lines={6}>
      {(found) => {
        if (wasPaid(found.status)) return <Sold transaction={found} onNext={onNext} />;
        return <Unsold transaction={found} onNext={onNext} />;
      }}
    </Loaded>
  );
}

function Unsold({ transaction, onNext }: { transaction: Transaction; onNext: () => void }) {
  const t = useTexts(texts);
  const { id, status } = transaction;
  return (
    <>
      <Section
        title={t.transactionOf(transaction.transactionCode)}
        actions={
          <>
            <PrintDisclosure transactionId={id} />
            <Link to={`/transactions/${id}`} className="link">
              {t.showTransaction}
            </Link>
          </>
        }
      >
        <div className="mb-4">
          <KeyValue
            columns={3}
            facts={[
              { label: t.sender, value: `${transaction.sender.name} (${transaction.sender.customerCode})` },
              { label: t.recipient, value: `${transaction.recipient.name}, ${transaction.recipient.country}` },
              { label: t.status, value: <StatusBadge status={status} /> },
            ]}
          />
        </div>
        <Price
          {...transaction}
          principalAmount={transaction.sendAmount}
          delivery={transaction.type}
          rate={transaction.exchangeRate}
        />
      </Section>
      {status === "AWAITING_PAYMENT" ? (
        <TakeCash key={id} transaction={transaction} />
      ) : (
        <Stopped onNext={onNext}>
          {status === "PAYING" ? (
            t.isPaying
          ) : status === "AWAITING_COMPLIANCE" ? (
            <StillAsked transaction={transaction} />
          ) : (
            t.isOver
          )}
        </Stopped>
      )}
    </>
  );
}

/** What the sender is told before they pay, for the printer. */
function PrintDisclosure({ transactionId }: { transactionId: string }) {
  const t = useTexts(texts);
  const { data } = useQuery(disclosureQuery(transactionId, ""));
  return (
    <>
      <Button icon={Printer} disabled={!data} onClick={() => print()}>
        {t.printPrice}
      </Button>
      {data && <Paper label={t.paperDisclosure} of={data} isPrinted isHidden />}
    </>
  );
}

function Stopped({ onNext, children }: { onNext: () => void; children: ReactNode }) {
  const t = useTexts(texts);
  const next = useFocus<HTMLDivElement>();
  return (
    <div ref={next} tabIndex={-1} role="status" className="card flex flex-wrap items-center justify-between gap-3 p-4">
      <div className="min-w-0 text-warn">{children}</div>
      <Button onClick={onNext}>{t.nextCustomer}</Button>
    </div>
  );
}
