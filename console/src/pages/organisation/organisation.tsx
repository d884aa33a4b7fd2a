import { useQuery } from "@tanstack/react-query";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { organisationQuery } from "../../lib/organisation";
import { DataTable } from "../../ui/data-table";
import { Id, Time } from "../../ui/figures";
import { Page } from "../../ui/page";
import { Empty, Loaded } from "../../ui/panels";
import { Person } from "../../ui/person";
import type { Column } from "../../ui/table";
import { Tabs } from "../../ui/tabs";
import { PreferenceForm } from "./preference-form";
import { texts } from "./texts";
import { WaitingChanges } from "./waiting";

export default function Organisation() {
  const t = useTexts(texts);
  const preference = useQuery(organisationQuery());
  return (
    <Page title={t.title} about={t.about}>
      <Tabs
        label={t.title}
        tabs={[
          {
            key: "preference",
            label: t.preference,
            content: (
              <>
                <WaitingChanges />
                <Loaded query={preference} lines={12}>
                  {(found) => <PreferenceForm key={found.updatedAt} preference={found} />}
                </Loaded>
              </>
            ),
          },
          { key: "changes", label: t.changes, content: <Changes /> },
        ]}
      />
    </Page>
  );
}

type Change = RowOf<typeof api.organisation.listPreferenceChanges>;

/** Who changed what, and why. */
function Changes() {
  const t = useTexts(texts);
  const columns: readonly Column<Change>[] = [
    { header: t.when, cell: (row) => <Time at={row.at} /> },
    { header: t.actor, cell: (row) => <Person id={row.actor} /> },
    { header: t.approvedBy, cell: (row) => row.approvedBy && <Person id={row.approvedBy} /> },
    { header: t.why, cell: (row) => row.reason },
    {
      header: t.what,
      cell: (row) => (
        <ul className="flex flex-col gap-1">
          {row.fields.map(({ field, before, after }) => (
            <li key={field} className="[overflow-wrap:anywhere]">
              <span className="text-muted">{field}</span>{" "}
              <del className="rounded bg-bad-soft px-1 text-bad no-underline">{before || t.none}</del>
              {" → "}
              <ins className="rounded bg-good-soft px-1 text-good no-underline">{after || t.none}</ins>
            </li>
          ))}
        </ul>
      ),
    },
    { header: t.interaction, cell: (row) => <Id value={row.interactionId} short /> },
  ];
  return (
    <DataTable
      label={t.changes}
      area="organisation"
      operation="listPreferenceChanges"
      list={api.organisation.listPreferenceChanges}
      columns={columns}
      rowKey={(row) => row.id}
      empty={<Empty title={t.noChanges}>{t.noChangesHint}</Empty>}
    />
  );
}
