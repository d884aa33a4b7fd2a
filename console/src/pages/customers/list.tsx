import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { UserPlus } from "lucide-react";
import { customerStatuses } from "../../generated/enums";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useFilters } from "../../lib/url-state";
import { useMay } from "../../lib/use-session";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Day, None } from "../../ui/figures";
import { FilterBar, type FilterField } from "../../ui/filters";
import { worded } from "../../ui/options";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/panels";
import { Person } from "../../ui/person";
import type { Column } from "../../ui/table";
import { FindCustomer } from "./find";
import { texts } from "./texts";
import type { Customer } from "./types";

export default function CustomerList() {
  const t = useTexts(texts);
  const may = useMay();
  const navigate = useNavigate();
  return (
    <Page
      title={t.title}
      about={may("listCustomers") ? t.about : t.aboutFind}
      actions={
        may("registerCustomer") && (
          <Button
            variant="primary"
            icon={UserPlus}
            onClick={() => void navigate({ to: "/customers/register" } as never)}
          >
            {t.register}
          </Button>
        )
      }
    >
      {may("listCustomers") ? <Customers /> : <FindCustomer />}
    </Page>
  );
}

function Customers() {
  const t = useTexts(texts);
  const filters = useFilters(["search", "status", "agentId"]);
  const agents = useAgents();
  const columns: readonly Column<Customer>[] = [
    { header: t.name, cell: (row) => `${row.firstName} ${row.lastName}` },
    { header: t.code, cell: (row) => <span className="font-mono text-[0.8125rem]">{row.customerCode}</span> },
    { header: t.email, cell: (row) => row.email },
    { header: t.phone, cell: (row) => <span className="figures">{row.phoneNumber ?? <None />}</span> },
    { header: t.country, cell: (row) => row.country },
    { header: t.agent, cell: (row) => <Person id={row.agentId} /> },
    { header: t.registered, cell: (row) => <Day at={row.createdAt} /> },
    { header: t.status, cell: (row) => <StatusBadge status={row.status} tone={toneOfStatus(row.status)} /> },
  ];
  const fields: FilterField<"search" | "status" | "agentId">[] = [
    { name: "search", label: t.search, kind: "search", placeholder: t.searchHint },
    {
      name: "status",
      label: t.status,
      kind: "select",
      options: worded(customerStatuses),
    },
  ];
  if (agents.length > 0) {
    fields.push({
      name: "agentId",
      label: t.agent,
      kind: "select",
      options: agents.map(({ userId, name }) => ({ value: userId, label: name })),
    });
  }
  return (
    <>
      <FilterBar filters={filters} fields={fields} />
      <DataTable
        label={t.title}
        area="customers"
        operation="listCustomers"
        list={api.people.listCustomers}
        filters={filters}
        columns={columns}
        rowKey={(row) => row.customerId}
        rowLink={(row) => `/customers/${row.customerId}`}
        empty={<Empty title={t.empty}>{t.emptyHint}</Empty>}
      />
    </>
  );
}

/** Those whom customers are put under; none for a role that may not know them. */
export function useAgents() {
  const may = useMay();
  const staff = useQuery({
    ...read("staff", "listStaffUsers", { all: true }, (options) =>
      api.people.listStaffUsers({}, options).toArray({ max: 500 }),
    ),
    enabled: may("listStaffUsers"),
    staleTime: 300_000,
  });
  return staff.data?.filter(({ role, disabled }) => role === "AGENT" && !disabled) ?? [];
}

export const toneOfStatus = (status: string) =>
  status === "CONFIRMED" ? ("good" as const) : status === "BLOCKED" ? ("bad" as const) : ("warn" as const);
