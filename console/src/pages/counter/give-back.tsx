import { KeyRound, HandCoins } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useFilters } from "../../lib/url-state";
import { useMay, useUser } from "../../lib/use-session";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Dialog, DialogActions } from "../../ui/dialog";
import { Money, Time } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Link } from "../../ui/link";
import { Page } from "../../ui/page";
import { Empty, ErrorPanel } from "../../ui/panels";
import { Person } from "../../ui/person";
import type { Column } from "../../ui/table";
import { useAction } from "../../ui/use-action";
import { GiveBackDialog } from "./give-back-dialog";
import { texts } from "./texts";
import type { Payable } from "./types";

/** What is owed in cash to senders of counter sales that came back, and was given. */
export default function GiveBackPage() {
  const t = useTexts(texts);
  const { id } = useUser();
  const mayPay = useMay()("payCounterPayable");
  const [doing, setDoing] = useState<{ what: "code" | "pay"; payable: Payable }>();
  const filters = useFilters(["transactionCode", "status"]);
  const close = () => setDoing(undefined);
  const columns: readonly Column<Payable>[] = [
    {
      header: t.ofColleague,
      cell: ({ transactionCode, transactionId }) => (
        <Link to={`/transactions/${transactionId}`} className="link font-mono">
          {transactionCode}
        </Link>
      ),
    },
    { header: t.amount, isNumber: true, cell: (row) => <Money amount={row.amount} currency={row.currency} /> },
    { header: t.created, cell: (row) => <Time at={row.createdAt} /> },
    {
      header: t.status,
      cell: ({ status }) => <StatusBadge status={status} label={status === "OPEN" ? t.openOnly : undefined} />,
    },
    { header: t.paidBy, cell: (row) => <Person id={row.paidBy} /> },
    {
      header: t.doIt,
      cell: (payable) =>
        payable.status === "OPEN" && (
          <span className="flex flex-wrap gap-1.5">
            <Button icon={KeyRound} onClick={() => setDoing({ what: "code", payable })}>
              {t.getCode}
            </Button>
            {payable.codeIssuedBy === id && <span className="text-muted">{t.ownCode}</span>}
            {mayPay && payable.codeIssuedBy !== id && (
              <Button icon={HandCoins} variant="primary" onClick={() => setDoing({ what: "pay", payable })}>
                {t.giveIt}
              </Button>
            )}
          </span>
        ),
    },
  ];
  return (
    <Page title={t.giveBack} about={t.giveBackAbout}>
      <FilterBar
        filters={filters}
        fields={[
          { name: "transactionCode", label: t.ofColleague, kind: "search" },
          {
            name: "status",
            label: t.status,
            kind: "select",
            options: [
              { value: "OPEN", label: t.openOnly },
              { value: "PAID", label: t.paidOnly },
            ],
          },
        ]}
      />
      <DataTable
        label={t.giveBack}
        area="wallets"
        operation="listCounterPayables"
        list={api.cash.listCounterPayables}
        filters={filters}
        columns={columns}
        rowKey={({ payableId }) => payableId}
        empty={<Empty title={t.noPayables}>{t.noPayablesHint}</Empty>}
      />
      {doing?.what === "code" && <CodeDialog payable={doing.payable} onClose={close} />}
      {doing?.what === "pay" && <GiveBackDialog payable={doing.payable} onClose={close} />}
    </Page>
  );
}

/** Makes the code; one from before ends only once that is asked for. */
function CodeDialog({ payable, onClose }: { payable: Payable; onClose: () => void }) {
  const t = useTexts(texts);
  const [code, setCode] = useState<string>();
  const issue = useAction({
    operation: "issueCounterPayableCode",
    run: (_nothing: void, options) => api.cash.issueCounterPayableCode(payable.payableId, options),
    stales: ["wallets"],
    onDone: (issued) => setCode(issued.code),
  });
  return (
    <Dialog title={`${t.getCode} · ${payable.transactionCode}`} isFirm={code !== undefined} onClose={onClose}>
      <p className="text-muted">{t.codeOnce}</p>
      <ErrorPanel error={issue.error} />
      {code !== undefined && (
        <p data-testid="code" className="mt-3 rounded-md bg-canvas p-4 text-center font-mono text-2xl">
          {code}
        </p>
      )}
      <DialogActions>
        {code === undefined && <Button onClick={onClose}>{t.cancel}</Button>}
        {code === undefined ? (
          <Button variant="primary" busy={issue.isRunning} onClick={() => void issue.run()}>
            {t.makeCode}
          </Button>
        ) : (
          <Button variant="primary" onClick={onClose}>
            {t.finished}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
