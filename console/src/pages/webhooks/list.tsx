import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { isSandbox } from "../../lib/environment";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Time } from "../../ui/figures";
import { Page } from "../../ui/page";
import { Empty, Loaded, Section } from "../../ui/panels";
import { ShownOnce } from "../../ui/shown-once";
import type { Column } from "../../ui/table";
import { EndpointDialog } from "./endpoint-dialog";
import { Health } from "./health";
import { ScheduleDialog } from "./schedule-dialog";
import { texts } from "./texts";
import type { Endpoint } from "./types";

export default function Webhooks() {
  const t = useTexts(texts);
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<string>();
  const columns: readonly Column<Endpoint>[] = [
    { header: t.url, cell: (row) => <span className="[overflow-wrap:anywhere]">{row.url}</span> },
    { header: t.about, cell: (row) => row.description },
    { header: t.health, cell: (row) => <Health endpoint={row} /> },
    { header: t.eventTypes, cell: (row) => <Types types={row.eventTypes} /> },
    { header: t.changed, cell: (row) => <Time at={row.changedAt} /> },
  ];
  return (
    <Page
      title={t.title}
      about={t.titleAbout}
      actions={
        <Button icon={Plus} variant="primary" onClick={() => setMaking(true)}>
          {t.create}
        </Button>
      }
    >
      <DataTable
        label={t.title}
        area="webhooks"
        operation="listWebhookEndpoints"
        list={async (_query, options) => (await api.webhooks.listEndpoints(options)).endpoints}
        columns={columns}
        rowKey={(row) => row.endpointId}
        rowLink={(row) => `/webhooks/${row.endpointId}`}
        empty={<Empty title={t.empty}>{t.emptyHint}</Empty>}
      />
      <Schedule />
      {isMaking && (
        <EndpointDialog
          onMade={(made) => {
            setMaking(false);
            setSecret(made);
          }}
          onClose={() => setMaking(false)}
        />
      )}
      {secret !== undefined && (
        <ShownOnce title={t.secret} secret={secret} words={t} onClose={() => setSecret(undefined)} />
      )}
    </Page>
  );
}

function Types({ types }: { types: readonly string[] }) {
  const t = useTexts(texts);
  const shown = types.slice(0, 3).join(", ");
  return (
    <span className="font-mono text-xs [overflow-wrap:anywhere]" title={types.join(", ")}>
      {shown}
      {types.length > 3 && ` ${t.andMore(String(types.length - 3))}`}
    </span>
  );
}

/** When what was refused is tried again; a sandbox may have it sooner. */
function Schedule() {
  const t = useTexts(texts);
  const [isChanging, setChanging] = useState(false);
  const schedule = useQuery(
    read("webhooks", "readWebhookSchedule", {}, (options) => api.webhooks.readSchedule(options)),
  );
  return (
    <Section
      title={t.schedule}
      actions={isSandbox && schedule.data && <Button onClick={() => setChanging(true)}>{t.change}</Button>}
    >
      <Loaded query={schedule} lines={1}>
        {({ waitsS }) => (
          <>
            <p className="mb-2 text-muted">{t.scheduleHint(String(waitsS.length + 1))}</p>
            <ol className="figures flex flex-wrap gap-1.5">
              {waitsS.map((seconds, index) => (
                <li key={index} className="rounded border border-line bg-canvas px-2 py-0.5">
                  {durationText(seconds)}
                </li>
              ))}
            </ol>
            {isChanging && <ScheduleDialog waitsS={waitsS} onClose={() => setChanging(false)} />}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function durationText(seconds: number): string {
  if (seconds % 3_600 === 0 && seconds > 0) return `${seconds / 3_600} h`;
  return seconds % 60 === 0 && seconds > 0 ? `${seconds / 60} min` : `${seconds} s`;
}
