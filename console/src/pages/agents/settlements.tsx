import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { read } from "../../lib/queries";
import { useMay } from "../../lib/use-session";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Day, Money } from "../../ui/figures";
import { SelectField, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { plain, withCurrent } from "../../ui/options";
import { Stack } from "../../ui/page";
import { Empty } from "../../ui/panels";
import { Person } from "../../ui/person";
import type { Column } from "../../ui/table";
import { agentStales } from "./queries";
import { settlementTexts, settlementTitle } from "./settlement-texts";

type Settlement = RowOf<typeof api.agents.listAgentSettlements>;
type Opening = Parameters<typeof api.agents.openAgentSettlement>[0];

/** What agents and the organisation settle: all of it for a manager, their own for an agent. */
export function Settlements() {
  const t = useTexts(settlementTexts);
  const may = useMay();
  const [isOpening, setOpening] = useState(false);
  const columns: readonly Column<Settlement>[] = [
    {
      header: t.settlements,
      cell: (row) => (
        <>
          {settlementTitle(t, row)} <span className="text-xs text-muted">{row.currency}</span>
        </>
      ),
    },
    { header: t.agent, cell: (row) => <Person id={row.agentId} /> },
    {
      header: t.period,
      cell: (row) => (
        <>
          <Day at={row.from} /> {t.until} <Day at={row.to} />
        </>
      ),
    },
    { header: t.owes, isNumber: true, cell: (row) => <Money amount={row.dues?.owes} currency={row.currency} /> },
    { header: t.status, cell: (row) => <StatusBadge status={row.status} /> },
  ];
  return (
    <Stack>
      {may("openAgentSettlement") && (
        <div className="flex justify-end">
          <Button icon={Plus} onClick={() => setOpening(true)}>
            {t.open_}
          </Button>
        </div>
      )}
      <DataTable
        label={t.settlements}
        area="wallets"
        operation="listAgentSettlements"
        list={api.agents.listAgentSettlements}
        columns={columns}
        rowKey={({ settlementId }) => settlementId}
        rowLink={({ settlementId }) => `/agent-settlements/${settlementId}`}
        empty={<Empty title={t.noSettlements}>{t.noSettlementsHint}</Empty>}
      />
      {isOpening && <OpenDialog onClose={() => setOpening(false)} />}
    </Stack>
  );
}

function OpenDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(settlementTexts);
  const { currencies, baseCurrency } = useOrganisation();
  const { data: staff = [] } = useQuery(
    read("staff", "listStaffUsers", { all: true }, (options) =>
      api.people.listStaffUsers({}, options).toArray({ max: 500 }),
    ),
  );
  const agents = staff.filter(({ role }) => role === "AGENT");
  const form = useActionForm({
    operation: "openAgentSettlement",
    run: (opening: Opening, options) => api.agents.openAgentSettlement(opening, options),
    stales: agentStales,
    done: t.isOpened,
    onDone: onClose,
    defaults: { agentId: "", currency: baseCurrency, from: "", to: "" },
    toInput: (values) => values as Opening,
  });
  return (
    <FormDialog title={t.open_} of={form} submit={t.open_} onClose={onClose}>
      <p className="text-muted">{t.openHint}</p>
      <SelectField
        form={form.form}
        name="agentId"
        label={t.agent}
        nothing={t.choose}
        options={withCurrent(
          agents.map(({ userId, name }) => ({ value: userId, label: name })),
          form.form.watch("agentId"),
        )}
        isRequired
      />
      <SelectField form={form.form} name="currency" label={t.currency} options={plain(currencies)} />
      <TextField form={form.form} name="from" type="date" label={t.firstDay} isRequired />
      <TextField form={form.form} name="to" type="date" label={t.endDay} isRequired />
    </FormDialog>
  );
}
