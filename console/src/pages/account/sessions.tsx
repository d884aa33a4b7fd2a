import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { useAction } from "../../lib/use-action";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable, type Column } from "../../ui/data-table";
import { Time } from "../../ui/figures";
import { Empty, ErrorPanel } from "../../ui/panels";
import { texts } from "./texts";

type Session = Awaited<ReturnType<typeof api.security.listSessions>>[number];

/** Where one is signed in, each to be ended from here. */
export function Sessions() {
  const t = useTexts(texts);
  const end = useAction({
    operation: "endSession",
    run: (sessionId: string, options) => api.security.endSession(sessionId, {}, options),
    stales: ["staff"],
    done: t.sessionEnded,
  });
  const columns: readonly Column<Session>[] = [
    { key: "from", header: t.signedIn, cell: (row) => <Time at={row.createdAt} /> },
    { key: "used", header: t.lastUsed, cell: (row) => <Time at={row.lastUsedAt} /> },
    { key: "until", header: t.endsBy, cell: (row) => <Time at={row.expiresAt} /> },
    { key: "address", header: t.address, cell: (row) => <span className="figures">{row.ipAddress}</span> },
    {
      key: "end",
      header: t.actions,
      cell: (row) =>
        row.current ? (
          <Badge tone="accent">{t.thisOne}</Badge>
        ) : (
          <Button busy={end.isRunning} onClick={() => void end.run(row.sessionId)}>
            {t.endIt}
          </Button>
        ),
    },
  ];
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <ErrorPanel error={end.error} />
      <DataTable
        label={t.sessions}
        area="staff"
        operation="listSessions"
        load={(_query, options) => api.security.listSessions(options).then((items) => ({ items }))}
        columns={columns}
        rowKey={(row) => row.sessionId}
        empty={<Empty title={t.noSessions} />}
      />
    </div>
  );
}
