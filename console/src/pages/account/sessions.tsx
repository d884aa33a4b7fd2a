import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Time } from "../../ui/figures";
import { Empty, ErrorPanel } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { useAction } from "../../ui/use-action";
import { texts } from "./texts";

type Session = RowOf<typeof api.security.listSessions>;

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
    { header: t.signedIn, cell: (row) => <Time at={row.createdAt} /> },
    { header: t.lastUsed, cell: (row) => <Time at={row.lastUsedAt} /> },
    { header: t.endsBy, cell: (row) => <Time at={row.expiresAt} /> },
    { header: t.address, cell: (row) => <span className="figures">{row.ipAddress}</span> },
    {
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
        list={(_query, options) => api.security.listSessions(options)}
        columns={columns}
        rowKey={(row) => row.sessionId}
        empty={<Empty title={t.noSessions} />}
      />
    </div>
  );
}
