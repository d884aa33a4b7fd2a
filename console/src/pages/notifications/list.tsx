import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { useFilters } from "../../lib/url-state";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable, type Column } from "../../ui/data-table";
import { Time } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/panels";
import { kindsQuery, pageOf, type Template } from "./kinds";
import { NewWordsDialog } from "./new-words-dialog";
import { texts } from "./texts";

export default function Notifications() {
  const t = useTexts(texts);
  const kinds = useQuery(kindsQuery()).data ?? [];
  const filters = useFilters(["kind", "language"]);
  const [isNew, setNew] = useState(false);
  const columns: readonly Column<Template>[] = [
    { key: "kind", header: t.kind, cell: (row) => <span className="font-mono text-xs">{row.kind}</span> },
    { key: "when", header: t.when, cell: (row) => kinds.find(({ kind }) => kind === row.kind)?.summary },
    { key: "channel", header: t.channel, cell: (row) => t[row.channel as "EMAIL" | "SMS"] },
    { key: "language", header: t.language, cell: (row) => row.language },
    {
      key: "words",
      header: t.words,
      cell: (row) => <Badge tone={row.revision > 0 ? "accent" : "neutral"}>{row.revision > 0 ? t.own : t.usual}</Badge>,
    },
    { key: "changed", header: t.changed, cell: (row) => <Time at={row.changedAt} /> },
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
        load={async ({ kind, language }, options) => {
          const query = { ...(kind !== undefined && { kind }), ...(language !== undefined && { language }) };
          return { items: (await api.notifications.listTemplates(query, options)).templates };
        }}
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
