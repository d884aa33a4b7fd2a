import { useState } from "react";
import { Link } from "../../app/link";
import { useMay } from "../../app/use-session";
import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { Badge } from "../../ui/badge";
import { inWords } from "../../ui/words";
import { Button } from "../../ui/button";
import { DataTable, type Column } from "../../ui/data-table";
import { Ago, Id, Money, None } from "../../ui/figures";
import { Empty } from "../../ui/panels";
import { useWord } from "../compliance/codes";
import { DeskButton, OnDeskOf } from "../compliance/desk";
import { SubjectName } from "../compliance/subject";
import { complianceTexts } from "../compliance/texts";
import { DecideDialog } from "./decide-dialog";
import { texts } from "./texts";

export type Review = Awaited<ReturnType<ReturnType<typeof api.compliance.listReviews>["page"]>>["items"][number];

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
        load={(query, options) => api.compliance.listReviews(query, options).page()}
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
      key: "customer",
      header: t.customer,
      cell: (row) => (
        <Link to={`/customers/${row.customerId}`} className="link font-medium" data-row="">
          <SubjectName name={row.customerName} state={row.customerNameState} />
        </Link>
      ),
    },
    { key: "what", header: t.what, cell: (row) => <What review={row} /> },
    {
      key: "amount",
      header: t.amount,
      isNumber: true,
      cell: (row) => <Money amount={row.amount} currency={row.currency} />,
    },
    { key: "route", header: t.route, cell: (row) => `${row.originCountry} → ${row.receivingCountry}` },
    {
      key: "recipient",
      header: t.recipient,
      cell: (row) => <bdi>{row.recipientName ?? row.recipient ?? "–"}</bdi>,
    },
    { key: "reason", header: t.because, cell: (row) => <Why review={row} /> },
    {
      key: "desk",
      header: desk.desk,
      cell: (row) => (row.caseId ? <OnDeskOf assignee={row.caseAssignee} /> : <None />),
    },
    { key: "since", header: t.since, cell: (row) => <Ago at={row.decidedAt} /> },
    {
      key: "do",
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

/** The reason, and what exactly has to be looked at for it. */
export function Why({ review }: { review: Review }) {
  const word = useWord();
  return (
    <div className="flex flex-col gap-0.5">
      <span>
        <Badge tone={review.reason === "SCREENING_HIT" ? "bad" : "warn"}>{word(review.reason)}</Badge>
      </span>
      <ul className="text-xs text-muted">
        {review.hits.map((hit) => (
          <li key={hit.hitId}>
            <Link to={`/screenings/${hit.screeningId}`} className="link">
              <bdi>{hit.matchedName}</bdi>
            </Link>{" "}
            {word(hit.source)} · {hit.score} ‰ · {word(hit.state)}
          </li>
        ))}
        {review.matchedRules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
        {review.outstandingRequirements.map((name) => (
          <li key={name}>{inWords(name)}</li>
        ))}
      </ul>
    </div>
  );
}
