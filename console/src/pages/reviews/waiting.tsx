import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useMay } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Ago, Id, Money, None } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { useWord } from "../compliance/codes";
import { DeskButton, OnDeskOf } from "../compliance/desk";
import { SubjectName } from "../compliance/subject";
import { complianceTexts } from "../compliance/texts";
import { DecideDialog } from "./decide-dialog";
import { texts } from "./texts";
import type { Review } from "./types";
import { Why } from "./why";

/** What waits for compliance, the oldest first, and why. */
export function Waiting() {
  const t = useTexts(texts);
  const [deciding, setDeciding] = useState<Review>();
  return (
    <>
      <DataTable
        label={t.waiting}
        area="reviews"
        operation="listComplianceReviews"
        list={api.compliance.listReviews}
        columns={useColumns(setDeciding)}
        rowKey={({ transactionId }) => transactionId}
        empty={<Empty title={t.empty}>{t.emptyHint}</Empty>}
      />
      {deciding && <DecideDialog review={deciding} onClose={() => setDeciding(undefined)} />}
    </>
  );
}

function useColumns(onDecide: (review: Review) => void): readonly Column<Review>[] {
  const t = useTexts(texts);
  const desk = useTexts(complianceTexts);
  const word = useWord();
  const may = useMay();
  return [
    {
      header: t.customer,
      cell: (row) => (
        <Link to={`/customers/${row.customerId}`} className="link font-medium" data-row="">
          <SubjectName name={row.customerName} state={row.customerNameState} />
        </Link>
      ),
    },
    { header: t.what, cell: (row) => <What review={row} /> },
    { header: t.amount, isNumber: true, cell: (row) => <Money amount={row.amount} currency={row.currency} /> },
    { header: t.route, cell: (row) => `${row.originCountry} → ${row.receivingCountry}` },
    { header: t.recipient, cell: (row) => <bdi>{row.recipientName ?? row.recipient ?? "–"}</bdi> },
    { header: t.because, cell: (row) => <Why review={row} /> },
    { header: desk.desk, cell: (row) => (row.caseId ? <OnDeskOf assignee={row.caseAssignee} /> : <None />) },
    { header: t.since, cell: (row) => <Ago at={row.decidedAt} /> },
    {
      header: t.doIt,
      cell: (row) => (
        <span className="flex flex-wrap justify-end gap-2 sm:justify-start">
          {row.caseId && (
            <Link to={`/cases/${row.caseId}`} className="link self-center">
              {t.case_}
            </Link>
          )}
          {row.caseId && (
            <DeskButton caseId={row.caseId} assignee={row.caseAssignee} of={row.customerName ?? word(row.operation)} />
          )}
          {row.decision === "REVIEW" && may("decideComplianceReview") && (
            <Button onClick={() => onDecide(row)} aria-label={t.decideOn(row.customerName ?? word(row.operation))}>
              {t.decide}
            </Button>
          )}
        </span>
      ),
    },
  ];
}

function What({ review }: { review: Review }) {
  const word = useWord();
  if (review.operation !== "REMITTANCE") {
    return (
      <>
        {word(review.operation)} <Id value={review.transactionId} short />
      </>
    );
  }
  return (
    <Link to={`/transactions/${review.transactionId}`} className="link">
      {word(review.operation)}
    </Link>
  );
}
