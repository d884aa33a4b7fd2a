import { useQuery } from "@tanstack/react-query";
import { Person } from "../../app/people";
import { organisationQuery } from "../../app/organisation";
import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { DataTable, type Column } from "../../ui/data-table";
import { Id, Time } from "../../ui/figures";
import { Page } from "../../ui/page";
import { Empty, Loaded } from "../../ui/panels";
import { Tabs } from "../../ui/tabs";
import { PreferenceForm } from "./preference-form";
import { texts } from "./texts";
import { WaitingChanges } from "./waiting";

export type Preference = Awaited<ReturnType<typeof api.organisation.fetchPreference>>;

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

type Change = Awaited<ReturnType<ReturnType<typeof api.organisation.listPreferenceChanges>["page"]>>["items"][number];

/** Who changed what, and why. */
function Changes() {
  const t = useTexts(texts);
  const columns: readonly Column<Change>[] = [
    { key: "at", header: t.when, cell: (row) => <Time at={row.at} /> },
    { key: "actor", header: t.actor, cell: (row) => <Person id={row.actor} /> },
    { key: "approvedBy", header: t.approvedBy, cell: (row) => row.approvedBy && <Person id={row.approvedBy} /> },
    { key: "reason", header: t.why, cell: (row) => row.reason },
    {
      key: "fields",
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
    { key: "interaction", header: t.interaction, cell: (row) => <Id value={row.interactionId} short /> },
  ];
  return (
    <DataTable
      label={t.changes}
      area="organisation"
      operation="listPreferenceChanges"
      load={(query, options) => api.organisation.listPreferenceChanges(query, options).page()}
      columns={columns}
      rowKey={(row) => row.id}
      empty={<Empty title={t.noChanges}>{t.noChangesHint}</Empty>}
    />
  );
}
