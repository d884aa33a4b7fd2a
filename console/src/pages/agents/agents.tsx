import { useQuery } from "@tanstack/react-query";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { StatusBadge } from "../../ui/badge";
import { DataTable } from "../../ui/data-table";
import { Time } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Page, Stack } from "../../ui/page";
import { Empty, Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import type { Column } from "../../ui/table";
import { Tabs } from "../../ui/tabs";
import { Plans } from "./plans";
import { settlementTexts } from "./settlement-texts";
import { Settlements } from "./settlements";
import { texts } from "./texts";
import type { Configuration } from "./types";

/** A manager's view of agents: how they sell, and what they are paid by. */
export default function AgentsPage() {
  const t = useTexts(texts);
  const words = useTexts(settlementTexts);
  return (
    <Page title={t.agents} about={t.agentsAbout}>
      <Tabs
        label={t.agents}
        name="show"
        tabs={[
          { key: "agents", label: t.agents, content: <AgentList /> },
          { key: "settlements", label: words.settlements, content: <Settlements /> },
          { key: "plans", label: t.plans, content: <Plans /> },
        ]}
      />
    </Page>
  );
}

function AgentList() {
  const t = useTexts(texts);
  const columns: readonly Column<Configuration>[] = [
    { header: t.agent, cell: (row) => <Person id={row.agentId} /> },
    { header: t.mode, cell: (row) => t[row.mode as "TILL"] },
    { header: t.currencies, cell: (row) => row.terms.map(({ currency }) => currency).join(", ") },
    { header: t.corridors, cell: (row) => row.corridors.join(", ") || t.allOfThem },
    {
      header: t.status,
      cell: ({ status }) => <StatusBadge status={status} tone={status === "ACTIVE" ? "good" : "bad"} />,
    },
    { header: t.changed, cell: (row) => <Time at={row.changedAt} /> },
  ];
  return (
    <Stack>
      <DataTable
        label={t.agents}
        area="wallets"
        operation="listAgentConfigurations"
        list={api.agents.listAgentConfigurations}
        columns={columns}
        rowKey={({ agentId }) => agentId}
        rowLink={({ agentId }) => `/agents/${agentId}`}
        empty={<Empty title={t.noAgents}>{t.noAgentsHint}</Empty>}
      />
      <Others />
    </Stack>
  );
}

/** All of the role, for whoever is set the first time. */
function Others() {
  const t = useTexts(texts);
  const { data: staff = [] } = useQuery(
    read("staff", "listStaffUsers", { all: true }, (options) =>
      api.people.listStaffUsers({}, options).toArray({ max: 500 }),
    ),
  );
  const agents = staff.filter(({ role, disabled }) => role === "AGENT" && !disabled);
  if (agents.length === 0) return null;
  return (
    <Section title={t.newAgent}>
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {agents.map(({ userId, name }) => (
          <li key={userId}>
            <Link to={`/agents/${userId}`} className="link">
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
