import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { DataTable } from "../../ui/data-table";
import { Time } from "../../ui/figures";
import { Page } from "../../ui/page";
import { Empty, Loaded } from "../../ui/panels";
import { Person } from "../../ui/person";
import type { Column } from "../../ui/table";
import { Tabs } from "../../ui/tabs";
import { DraftTab } from "./draft";
import { PolicyContent } from "./policy-content";
import { texts } from "./texts";
import { TransparencyProfiles } from "./transparency";
import { usePublished } from "./use-published";

type Version = RowOf<typeof api.compliance.listPolicyVersions>;

export default function CompliancePolicyPage() {
  const t = useTexts(texts);
  return (
    <Page title={t.title} about={t.about}>
      <Tabs
        label={t.title}
        name="show"
        tabs={[
          { key: "inForce", label: t.inForce, content: <InForce /> },
          { key: "transparency", label: t.transparency, content: <Transparency /> },
          { key: "draft", label: t.draft, content: <DraftTab /> },
          { key: "versions", label: t.versions, content: <Versions /> },
        ]}
      />
    </Page>
  );
}

function InForce() {
  const t = useTexts(texts);
  const published = usePublished();
  return (
    <Loaded query={published} lines={10}>
      {(policy) =>
        policy === null ? (
          <div className="card">
            <Empty title={t.noPolicy}>{t.noPolicyHint}</Empty>
          </div>
        ) : (
          <PolicyContent policy={policy} />
        )
      }
    </Loaded>
  );
}

function Transparency() {
  const published = usePublished();
  return (
    <Loaded query={published} lines={10}>
      {(policy) => <TransparencyProfiles profiles={policy?.transparencyProfiles ?? []} />}
    </Loaded>
  );
}

function Versions() {
  const t = useTexts(texts);
  const columns: readonly Column<Version>[] = [
    { header: t.version, cell: (row) => t.versionNumber(String(row.version)) },
    { header: t.published, cell: (row) => <Time at={row.publishedAt} /> },
    { header: t.publishedBy, cell: (row) => <Person id={row.publishedBy} /> },
    { header: t.draftedBy, cell: (row) => <Person id={row.draftedBy} /> },
  ];
  return (
    <DataTable
      label={t.versions}
      area="policy"
      operation="listCompliancePolicyVersions"
      list={api.compliance.listPolicyVersions}
      columns={columns}
      rowKey={({ version }) => String(version)}
      rowLink={({ version }) => `/policy/${version}`}
      empty={<Empty title={t.noPolicy}>{t.noPolicyHint}</Empty>}
    />
  );
}
