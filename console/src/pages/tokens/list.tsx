import { MoreHorizontal, Plus } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { DataTable } from "../../ui/data-table";
import { None, Time } from "../../ui/figures";
import { Menu, type MenuItem } from "../../ui/menu";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/panels";
import { ShownOnce } from "../../ui/shown-once";
import type { Column } from "../../ui/table";
import { useAction } from "../../ui/use-action";
import { CreateDialog } from "./create-dialog";
import { RotateDialog } from "./rotate-dialog";
import { texts } from "./texts";
import type { ApiToken } from "./types";

type What = "rotate" | "invalidate" | "delete";

export default function ApiTokens() {
  const t = useTexts(texts);
  const [isCreating, setCreating] = useState(false);
  const [requested, setRequested] = useState<{ what: What; token: ApiToken }>();
  const [secret, setSecret] = useState<string>();
  const columns: readonly Column<ApiToken>[] = [
    {
      header: t.name,
      cell: (row) => (
        <div>
          <span className="font-medium">{row.name}</span>
          <p className="font-mono text-xs text-muted">{row.prefix}…</p>
        </div>
      ),
    },
    { header: t.scopes, cell: (row) => <Scopes scopes={row.scopes} /> },
    { header: t.created, cell: (row) => <Time at={row.createdAt} /> },
    { header: t.used, cell: (row) => (row.lastUsedAt ? <Time at={row.lastUsedAt} /> : <None />) },
    { header: t.expires, cell: (row) => <Time at={row.expiresAt} /> },
    { header: t.status, cell: (row) => <StatusBadge status={row.status} tone={toneOf(row.status)} /> },
    { header: t.actions, cell: (row) => <RowMenu token={row} onAsk={(what) => setRequested({ what, token: row })} /> },
  ];
  const close = () => setRequested(undefined);
  const show = (token: string) => {
    setCreating(false);
    close();
    setSecret(token);
  };
  return (
    <Page
      title={t.title}
      about={t.about}
      actions={
        <Button variant="primary" icon={Plus} onClick={() => setCreating(true)}>
          {t.create}
        </Button>
      }
    >
      <DataTable
        label={t.title}
        area="tokens"
        operation="listApiTokens"
        list={(_query, options) => api.apiTokens.list(options)}
        columns={columns}
        rowKey={(row) => row.id}
        empty={<Empty title={t.empty}>{t.emptyHint}</Empty>}
      />
      {isCreating && <CreateDialog onMade={show} onClose={() => setCreating(false)} />}
      {requested?.what === "rotate" && <RotateDialog token={requested.token} onMade={show} onClose={close} />}
      {(requested?.what === "invalidate" || requested?.what === "delete") && (
        <EndDialog token={requested.token} how={requested.what} onClose={close} />
      )}
      {secret && <ShownOnce title={t.secretTitle} secret={secret} words={t} onClose={() => setSecret(undefined)} />}
    </Page>
  );
}

const toneOf = (status: string) =>
  status === "ACTIVE" ? ("good" as const) : status === "ROTATING" ? ("warn" as const) : ("neutral" as const);

const shownScopes = 3;

function Scopes({ scopes }: { scopes: readonly string[] }) {
  return (
    <span title={scopes.join(", ")} className="font-mono text-xs">
      {scopes.slice(0, shownScopes).join(", ")}
      {scopes.length > shownScopes && ` +${scopes.length - shownScopes}`}
    </span>
  );
}

function RowMenu({ token, onAsk }: { token: ApiToken; onAsk: (what: What) => void }) {
  const t = useTexts(texts);
  const isLive = token.status === "ACTIVE" || token.status === "ROTATING";
  const items: (MenuItem | false)[] = [
    isLive && { key: "rotate", label: t.rotate, onSelect: () => onAsk("rotate") },
    isLive && { key: "invalidate", label: t.invalidate, danger: true, onSelect: () => onAsk("invalidate") },
    { key: "delete", label: t.delete, danger: true, onSelect: () => onAsk("delete") },
  ];
  return (
    <Menu
      label={t.actionsOf(token.name)}
      button={<MoreHorizontal size={17} aria-hidden />}
      items={items.filter((item) => item !== false)}
    />
  );
}

interface EndProps {
  token: ApiToken;
  how: "invalidate" | "delete";
  onClose: () => void;
}

function EndDialog({ token, how, onClose }: EndProps) {
  const t = useTexts(texts);
  const deletes = how === "delete";
  const end = useAction({
    operation: deletes ? "deleteApiToken" : "invalidateApiToken",
    run: (_reason: string, options): PromiseLike<unknown> =>
      deletes ? api.apiTokens.delete(token.id, {}, options) : api.apiTokens.invalidate(token.id, {}, options),
    stales: ["tokens"],
    done: deletes ? t.isDeleted : t.isInvalidated,
  });
  return (
    <ConfirmDialog
      title={deletes ? t.deleteTitle : t.invalidateTitle}
      confirm={deletes ? t.delete : t.invalidate}
      danger
      reason="none"
      action={end}
      onClose={onClose}
    >
      <p className="font-medium">{token.name}</p>
      <p className="text-muted">{deletes ? t.deleteHint : t.invalidateHint}</p>
    </ConfirmDialog>
  );
}
