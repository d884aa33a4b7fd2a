import { ShieldCheck } from "lucide-react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Time } from "../../ui/figures";
import { Stack } from "../../ui/page";
import { Empty, ErrorPanel } from "../../ui/panels";
import { Person } from "../../ui/person";
import type { Column } from "../../ui/table";
import { useAction } from "../../ui/use-action";
import { texts } from "./texts";
import type { Verification } from "./types";
import { Progress, VerificationStatus } from "./verification-parts";

export function Verifications() {
  const t = useTexts(texts);
  const begin = useAction({
    operation: "beginLedgerVerification",
    run: (_: void, options) => api.ledger.beginVerification(options),
    stales: ["ledger"],
    done: t.begun,
  });
  const columns: readonly Column<Verification>[] = [
    { header: t.started, cell: (row) => <Time at={row.startedAt} /> },
    { header: t.status, cell: (row) => <VerificationStatus status={row.status} /> },
    { header: t.checked, cell: (row) => <Progress verification={row} /> },
    { header: t.faults, isNumber: true, cell: (row) => row.faults.length },
    { header: t.by, cell: (row) => <Person id={row.startedBy} /> },
    { header: t.ended, cell: (row) => <Time at={row.endedAt} /> },
  ];
  return (
    <Stack>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-3xl text-muted">{t.verificationsAbout}</p>
        <Button icon={ShieldCheck} variant="primary" busy={begin.isRunning} onClick={() => void begin.run()}>
          {t.begin}
        </Button>
      </div>
      <ErrorPanel error={begin.error} />
      <DataTable
        label={t.verifications}
        area="ledger"
        operation="listLedgerVerifications"
        list={api.ledger.listVerifications}
        columns={columns}
        rowKey={(row) => row.verificationId}
        rowLink={(row) => `/ledger/verifications/${row.verificationId}`}
        empty={<Empty title={t.noVerifications}>{t.noVerificationsHint}</Empty>}
      />
    </Stack>
  );
}
