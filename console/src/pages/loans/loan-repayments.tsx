import { useQuery } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { useState } from "react";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useMay } from "../../lib/use-session";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { Day, Money } from "../../ui/figures";
import { Loaded, Section } from "../../ui/panels";
import { Rows } from "../../ui/rows";
import type { Column } from "../../ui/table";
import { useAction } from "../../ui/use-action";
import { inWords } from "../../ui/words";
import { texts } from "./texts";
import type { Loan } from "./types";

type Repayment = RowOf<typeof api.loans.repaidTransactions>;

/**
 * What was paid on the loan. The API lists repayments by a person's user
 * id, so that one is read first.
 */
export function LoanRepayments({ loan }: { loan: Loan }) {
  const t = useTexts(texts);
  const may = useMay();
  const [chosen, setChosen] = useState<Repayment>();
  const { customerId, loanApplicationId } = loan;
  const repayments = useQuery(
    read("loans", "repaidTransactions", { customerId }, async (options) => {
      const { userId } = await api.people.readCustomer(customerId, options);
      return api.loans.repaidTransactions(userId, options);
    }),
  );
  const columns: readonly Column<Repayment>[] = [
    { header: t.paidOn, cell: (row) => <Day at={row.paymentDate} /> },
    { header: t.amount, isNumber: true, cell: (row) => <Money amount={row.repaymentAmount} currency={row.currency} /> },
    { header: t.method, cell: (row) => inWords(row.paymentMethod) },
    { header: t.reference, cell: (row) => row.repaymentReference },
    { header: t.status, cell: (row) => <StatusBadge status={row.status} /> },
    {
      header: t.actions,
      cell: (row) =>
        may("chargeBackRepayment") && (
          <Button icon={Undo2} variant="quiet" onClick={() => setChosen(row)}>
            {t.chargeBack}
          </Button>
        ),
    },
  ];
  return (
    <Section title={t.repayments} flush>
      <Loaded query={repayments}>
        {(found) => (
          <Rows
            label={t.repayments}
            rows={found.filter((row) => row.loanApplicationId === loanApplicationId)}
            columns={columns}
            rowKey={(row) => row.repaymentId}
            empty={t.noRepayments}
          />
        )}
      </Loaded>
      {chosen && <ChargeBackDialog repayment={chosen} onClose={() => setChosen(undefined)} />}
    </Section>
  );
}

function ChargeBackDialog({ repayment, onClose }: { repayment: Repayment; onClose: () => void }) {
  const t = useTexts(texts);
  const chargeBack = useAction({
    operation: "chargeBackRepayment",
    run: (reason: string, options) => api.loanServicing.chargeBackRepayment(repayment.repaymentId, { reason }, options),
    stales: ["loans"],
    done: t.chargedBack,
  });
  return (
    <ConfirmDialog title={t.chargeBackTitle} confirm={t.chargeBack} danger action={chargeBack} onClose={onClose}>
      <p className="font-medium">
        <Money amount={repayment.repaymentAmount} currency={repayment.currency} /> · {repayment.repaymentReference}
      </p>
      <p className="text-muted">{t.chargeBackHint}</p>
    </ConfirmDialog>
  );
}
