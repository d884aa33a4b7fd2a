import { useState } from "react";
import { Link } from "../../app/link";
import { Person } from "../../app/people";
import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { useFilters } from "../../lib/url-state";
import { StatusBadge } from "../../ui/badge";
import { inWords } from "../../ui/words";
import { Button } from "../../ui/button";
import { DataTable, type Column } from "../../ui/data-table";
import { Ago, Id } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Empty } from "../../ui/panels";
import { useWord } from "../compliance/codes";
import { sizeText } from "../compliance/file-parts";
import { DocumentDialog } from "./document-dialog";
import { texts } from "./texts";

export type ComplianceDocument = Awaited<
  ReturnType<ReturnType<typeof api.compliance.listDocuments>["page"]>
>["items"][number];

/** Documents that wait for a look; of one customer all that they ever handed in. */
export function Documents() {
  const t = useTexts(texts);
  const word = useWord();
  const filters = useFilters(["customerId"]);
  const [viewed, setViewed] = useState<ComplianceDocument>();
  const columns: readonly Column<ComplianceDocument>[] = [
    { key: "requirement", header: t.requirement, cell: (row) => inWords(row.requirement) },
    {
      key: "customer",
      header: t.customer,
      cell: (row) => (
        <span className="inline-flex flex-wrap items-baseline gap-x-2">
          <Link to={`/customers/${row.customerId}`} className="link">
            {t.openCustomer}
          </Link>
          <Id value={row.customerId} short />
        </span>
      ),
    },
    {
      key: "file",
      header: t.file,
      cell: (row) => (
        <>
          {row.fileName} <span className="text-xs text-muted">{sizeText(row.sizeBytes)}</span>
        </>
      ),
    },
    { key: "status", header: t.status, cell: (row) => <StatusBadge status={row.status} label={word(row.status)} /> },
    { key: "by", header: t.handedIn, cell: (row) => <Person id={row.submittedBy} /> },
    { key: "since", header: t.since, cell: (row) => <Ago at={row.submittedAt} /> },
    {
      key: "view",
      header: t.doIt,
      cell: (row) => (
        <Button onClick={() => setViewed(row)} aria-label={t.viewNamed(row.fileName)}>
          {t.view}
        </Button>
      ),
    },
  ];
  return (
    <div className="flex flex-col gap-3">
      <FilterBar filters={filters} fields={[{ name: "customerId", label: t.customerId, kind: "text" }]} />
      <DataTable
        label={t.documents}
        area="reviews"
        operation="listDocuments"
        load={(query, options) => api.compliance.listDocuments(query, options).page()}
        filters={filters}
        columns={columns}
        rowKey={({ documentId }) => documentId}
        empty={<Empty title={t.noDocuments}>{t.noDocumentsHint}</Empty>}
      />
      {viewed && <DocumentDialog document={viewed} onClose={() => setViewed(undefined)} />}
    </div>
  );
}
