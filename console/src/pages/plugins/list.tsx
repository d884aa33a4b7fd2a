import { useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { pluginStatuses } from "../../generated/enums";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useFilters } from "../../lib/url-state";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Time } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { PluginHealth, PluginStatus } from "./health";
import { CreateDialog } from "./plugin-dialog";
import { useTypes } from "./plugins";
import { texts } from "./texts";
import type { Plugin } from "./types";

export default function Plugins() {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const types = useTypes();
  const [isMaking, setMaking] = useState(false);
  const filters = useFilters(["status"]);
  const titleOf = (row: Plugin) => types.data?.find(({ name }) => name === row.type)?.title ?? row.type;
  const columns: readonly Column<Plugin>[] = [
    { header: t.name, cell: (row) => <span className="[overflow-wrap:anywhere]">{row.name}</span> },
    { header: t.type, cell: titleOf },
    { header: t.status, cell: (row) => <PluginStatus plugin={row} /> },
    { header: t.health, cell: (row) => <PluginHealth plugin={row} /> },
    { header: t.changed, cell: (row) => <Time at={row.changedAt} /> },
  ];
  return (
    <Page
      title={t.title}
      about={t.titleAbout}
      actions={
        <Button icon={Plus} variant="primary" disabled={types.data === undefined} onClick={() => setMaking(true)}>
          {t.install}
        </Button>
      }
    >
      <FilterBar
        filters={filters}
        fields={[
          {
            name: "status",
            label: t.status,
            kind: "select",
            options: pluginStatuses.map((value) => ({ value, label: t[value] })),
          },
        ]}
      />
      <DataTable
        label={t.title}
        area="plugins"
        operation="listPlugins"
        list={async (query, options) => (await api.plugins.list(query, options)).plugins}
        filters={filters}
        columns={columns}
        rowKey={(row) => row.installationId}
        rowLink={(row) => `/plugins/${row.installationId}`}
        empty={<Empty title={t.empty}>{t.emptyHint}</Empty>}
      />
      {isMaking && types.data && (
        <CreateDialog
          types={types.data}
          onMade={({ installationId }) => void navigate({ to: `/plugins/${installationId}` })}
          onClose={() => setMaking(false)}
        />
      )}
    </Page>
  );
}
