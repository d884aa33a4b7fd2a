import { useQuery } from "@tanstack/react-query";
import { Person } from "../../app/people";
import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { read } from "../../lib/queries";
import { DataTable, type Column } from "../../ui/data-table";
import { Time } from "../../ui/figures";
import { Page } from "../../ui/page";
import { Empty, Loaded } from "../../ui/panels";
import { Tabs } from "../../ui/tabs";
import { DraftTab } from "./draft";
import { PolicyContent } from "./policy-content";
import { texts } from "./texts";

type Version = Awaited<ReturnType<ReturnType<typeof api.compliance.listPolicyVersions>["page"]>>["items"][number];

export default function CompliancePolicyPage() {
  const t = useTexts(texts);
  return (
    <Page title={t.title} about={t.about}>
      <Tabs
        label={t.title}
        name="show"
        tabs={[
          { key: "inForce", label: t.inForce, content: <InForce /> },
          { key: "draft", label: t.draft, content: <DraftTab /> },
          { key: "versions", label: t.versions, content: <Versions /> },
        ]}
      />
    </Page>
  );
}

/** What is in force, whole; undefined where nothing was published yet. */
export function usePublished() {
  return useQuery(
    read("policy", "readCompliancePolicyVersion", { newest: true }, async (options) => {
      const { items } = await api.compliance.listPolicyVersions({ size: 1 }, options).page();
      const [newest] = items;
      return newest ? await api.compliance.readPolicyVersion(String(newest.version), options) : null;
    }),
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

function Versions() {
  const t = useTexts(texts);
  const columns: readonly Column<Version>[] = [
    { key: "version", header: t.version, cell: (row) => t.versionNumber(String(row.version)) },
    { key: "published", header: t.published, cell: (row) => <Time at={row.publishedAt} /> },
    { key: "publishedBy", header: t.publishedBy, cell: (row) => <Person id={row.publishedBy} /> },
    { key: "draftedBy", header: t.draftedBy, cell: (row) => <Person id={row.draftedBy} /> },
  ];
  return (
    <DataTable
      label={t.versions}
      area="policy"
      operation="listCompliancePolicyVersions"
      load={(query, options) => api.compliance.listPolicyVersions(query, options).page()}
      columns={columns}
      rowKey={({ version }) => String(version)}
      rowLink={({ version }) => `/policy/${version}`}
      empty={<Empty title={t.noPolicy}>{t.noPolicyHint}</Empty>}
    />
  );
}
