import { MoreHorizontal, UserPlus } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useUser } from "../../lib/use-session";
import { Badge, StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Time } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Menu, type MenuItem } from "../../ui/menu";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { inWords } from "../../ui/words";
import { AccessDialog, ChangeDialog, CreateDialog, ResetDialog } from "./dialogs";
import { texts } from "./texts";
import type { Staff } from "./types";

type What = "change" | "disable" | "enable" | "reset";

export default function StaffList() {
  const t = useTexts(texts);
  const [isCreating, setCreating] = useState(false);
  const [requested, setRequested] = useState<{ what: What; user: Staff }>();
  const columns: readonly Column<Staff>[] = [
    {
      header: t.name,
      cell: (row) => (
        <div>
          <span className="font-medium">{row.name}</span>
          <p className="text-xs text-muted">{row.email}</p>
        </div>
      ),
    },
    { header: t.role, cell: (row) => inWords(row.role) },
    { header: t.since, cell: (row) => <Time at={row.createdAt} /> },
    {
      header: t.state,
      cell: (row) =>
        row.disabled ? <StatusBadge status="DISABLED" label={t.disabled} /> : <Badge tone="good">{t.active}</Badge>,
    },
    {
      header: t.customers,
      cell: (row) =>
        row.role === "AGENT" && (
          <Link to={`/customers?agentId=${row.userId}`} className="link">
            {t.theirCustomers}
          </Link>
        ),
    },
    { header: t.actions, cell: (row) => <RowMenu user={row} onAsk={(what) => setRequested({ what, user: row })} /> },
  ];
  const close = () => setRequested(undefined);
  return (
    <Page
      title={t.title}
      about={t.about}
      actions={
        <Button variant="primary" icon={UserPlus} onClick={() => setCreating(true)}>
          {t.create}
        </Button>
      }
    >
      <DataTable
        label={t.title}
        area="staff"
        operation="listStaffUsers"
        list={api.people.listStaffUsers}
        columns={columns}
        rowKey={(row) => row.userId}
        empty={<Empty title={t.empty}>{t.emptyHint}</Empty>}
      />
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
      {requested?.what === "change" && <ChangeDialog user={requested.user} onClose={close} />}
      {requested?.what === "reset" && <ResetDialog user={requested.user} onClose={close} />}
      {(requested?.what === "disable" || requested?.what === "enable") && (
        <AccessDialog user={requested.user} how={requested.what} onClose={close} />
      )}
    </Page>
  );
}

/** A manager manages agents and cashiers; the second factors of anybody but themselves. */
function RowMenu({ user, onAsk }: { user: Staff; onAsk: (what: What) => void }) {
  const t = useTexts(texts);
  const { id } = useUser();
  if (user.userId === id) return <span className="text-muted">{t.yourself}</span>;
  const managed: MenuItem[] = [
    { key: "change", label: t.change, onSelect: () => onAsk("change") },
    user.disabled
      ? { key: "enable", label: t.enable, onSelect: () => onAsk("enable") }
      : { key: "disable", label: t.disable, danger: true, onSelect: () => onAsk("disable") },
  ];
  return (
    <Menu
      label={t.actionsOf(user.name)}
      button={<MoreHorizontal size={17} aria-hidden />}
      items={[
        ...(user.role === "MANAGER" ? [] : managed),
        { key: "reset", label: t.reset, onSelect: () => onAsk("reset") },
      ]}
    />
  );
}
