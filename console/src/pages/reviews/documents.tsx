import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useFilters } from "../../lib/url-state";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Ago, Id } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Link } from "../../ui/link";
import { Empty } from "../../ui/panels";
import { Person } from "../../ui/person";
import type { Column } from "../../ui/table";
import { inWords } from "../../ui/words";
import { useWord } from "../compliance/codes";
import { sizeText } from "../compliance/file-parts";
import { DocumentDialog } from "./document-dialog";
import { texts } from "./texts";
import type { ComplianceDocument } from "./types";

/** Documents that wait for a look; of one customer all that they ever handed in. */
export function Documents() {
  const t = useTexts(texts);
  const word = useWord();
  const filters = useFilters(["customerId"]);
  const [viewed, setViewed] = useState<ComplianceDocument>();
  const columns: readonly Column<ComplianceDocument>[] = [
    { header: t.requirement, cell: (row) => inWords(row.requirement) },
    {
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
      header: t.file,
      cell: (row) => (
        <>
          {row.fileName} <span className="text-xs text-muted">{sizeText(row.sizeBytes)}</span>
        </>
      ),
    },
    { header: t.status, cell: (row) => <StatusBadge status={row.status} label={word(row.status)} /> },
    { header: t.handedIn, cell: (row) => <Person id={row.submittedBy} /> },
    { header: t.since, cell: (row) => <Ago at={row.submittedAt} /> },
    {
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
        list={api.compliance.listDocuments}
        filters={filters}
        columns={columns}
        rowKey={({ documentId }) => documentId}
        empty={<Empty title={t.noDocuments}>{t.noDocumentsHint}</Empty>}
      />
      {viewed && <DocumentDialog document={viewed} onClose={() => setViewed(undefined)} />}
    </div>
  );
}
