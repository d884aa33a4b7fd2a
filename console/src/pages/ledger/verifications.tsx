import { ShieldCheck } from "lucide-react";
import { Person } from "../../app/people";
import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { useAction } from "../../lib/use-action";
import { Button } from "../../ui/button";
import { DataTable, type Column } from "../../ui/data-table";
import { Time } from "../../ui/figures";
import { Stack } from "../../ui/page";
import { Empty, ErrorPanel } from "../../ui/panels";
import { Progress, VerificationStatus, type Verification } from "./verification-parts";
import { texts } from "./texts";

export function Verifications() {
  const t = useTexts(texts);
  const begin = useAction({
    operation: "beginLedgerVerification",
    run: (_: void, options) => api.ledger.beginVerification(options),
    stales: ["ledger"],
    done: t.begun,
  });
  const columns: readonly Column<Verification>[] = [
    { key: "started", header: t.started, cell: (row) => <Time at={row.startedAt} /> },
    { key: "status", header: t.status, cell: (row) => <VerificationStatus status={row.status} /> },
    { key: "progress", header: t.checked, cell: (row) => <Progress verification={row} /> },
    { key: "faults", header: t.faults, isNumber: true, cell: (row) => row.faults.length },
    { key: "by", header: t.by, cell: (row) => <Person id={row.startedBy} /> },
    { key: "ended", header: t.ended, cell: (row) => <Time at={row.endedAt} /> },
  ];
  return (
    <Stack>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-3xl text-muted">{t.verificationsAbout}</p>
        <Button icon={ShieldCheck} look="primary" busy={begin.isRunning} onClick={() => void begin.run()}>
          {t.begin}
        </Button>
      </div>
      <ErrorPanel error={begin.error} />
      <DataTable
        label={t.verifications}
        area="ledger"
        operation="listLedgerVerifications"
        load={(query, options) => api.ledger.listVerifications(query, options).page()}
        columns={columns}
        rowKey={(row) => row.verificationId}
        rowLink={(row) => `/ledger/verifications/${row.verificationId}`}
        empty={<Empty title={t.noVerifications}>{t.noVerificationsHint}</Empty>}
      />
    </Stack>
  );
}
