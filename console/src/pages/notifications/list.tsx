import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useFilters } from "../../lib/url-state";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Time } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { kindsQuery, pageOf } from "./kinds";
import { NewWordsDialog } from "./new-words-dialog";
import { texts } from "./texts";
import type { Template } from "./types";

export default function Notifications() {
  const t = useTexts(texts);
  const kinds = useQuery(kindsQuery()).data ?? [];
  const filters = useFilters(["kind", "language"]);
  const [isNew, setNew] = useState(false);
  const columns: readonly Column<Template>[] = [
    { header: t.kind, cell: (row) => <span className="font-mono text-xs">{row.kind}</span> },
    { header: t.when, cell: (row) => kinds.find(({ kind }) => kind === row.kind)?.summary },
    { header: t.channel, cell: (row) => t[row.channel as "EMAIL" | "SMS"] },
    { header: t.language, cell: (row) => row.language },
    {
      header: t.words,
      cell: (row) => <Badge tone={row.revision > 0 ? "accent" : "neutral"}>{row.revision > 0 ? t.own : t.usual}</Badge>,
    },
    { header: t.changed, cell: (row) => <Time at={row.changedAt} /> },
  ];
  return (
    <Page
      title={t.title}
      about={t.about}
      actions={
        <Button icon={Plus} onClick={() => setNew(true)}>
          {t.otherLanguage}
        </Button>
      }
    >
      <FilterBar
        filters={filters}
        fields={[
          {
            name: "kind",
            label: t.kind,
            kind: "select",
            options: kinds.map(({ kind }) => ({ value: kind, label: kind })),
          },
          { name: "language", label: t.language, kind: "text", placeholder: "en" },
        ]}
      />
      <DataTable
        label={t.title}
        area="organisation"
        operation="listNotificationTemplates"
        list={async (query, options) => (await api.notifications.listTemplates(query, options)).templates}
        filters={filters}
        columns={columns}
        rowKey={pageOf}
        rowLink={pageOf}
        empty={<Empty title={t.empty}>{t.emptyHint}</Empty>}
      />
      {isNew && <NewWordsDialog kinds={kinds} onClose={() => setNew(false)} />}
    </Page>
  );
}
