import { useQuery } from "@tanstack/react-query";
import { Download, FilePlus2 } from "lucide-react";
import { useState } from "react";
import { api, type RowOf } from "../../lib/api";
import { saveFile } from "../../lib/files";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { read } from "../../lib/queries";
import { plusDays, today } from "../../lib/zoned-day";
import { StatusBadge, type Tone } from "../../ui/badge";
import { Button, IconButton } from "../../ui/button";
import { Day, Figure, Id, None, Time } from "../../ui/figures";
import { SelectField, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { Empty, ErrorPanel, Loaded, Section } from "../../ui/panels";
import { Table } from "../../ui/table";
import { useAction } from "../../ui/use-action";
import { figureTexts } from "./figure-texts";

type Export = RowOf<typeof api.reports.exports>;

const workingMs = 2_000;
const tones: Readonly<Record<string, Tone>> = { QUEUED: "neutral", RUNNING: "warn", DONE: "good", FAILED: "bad" };

/** Files that whoever is signed in has asked for, and how far each is. */
export function Exports() {
  const t = useTexts(figureTexts);
  const [isAsking, setAsking] = useState(false);
  const exports = useQuery({
    ...read("reports", "listReportExports", {}, (options) => api.reports.exports(options)),
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => /QUEUED|RUNNING/.test(status)) ? workingMs : false,
  });
  return (
    <Section
      title={t.exports}
      flush
      actions={
        <Button icon={FilePlus2} onClick={() => setAsking(true)}>
          {t.ask}
        </Button>
      }
    >
      <p className="border-b border-line px-4 py-2 text-muted">{t.exportsAbout}</p>
      <Loaded query={exports} lines={4}>
        {(found) =>
          found.length === 0 ? <Empty title={t.noExports}>{t.noExportsHint}</Empty> : <Files exports={found} />
        }
      </Loaded>
      {isAsking && <AskDialog onClose={() => setAsking(false)} />}
    </Section>
  );
}

function Files({ exports }: { exports: readonly Export[] }) {
  const t = useTexts(figureTexts);
  const wordOf = (fault: string) => {
    const word = (t as Readonly<Record<string, unknown>>)[fault];
    return typeof word === "string" ? word : fault;
  };
  const save = useAction({
    operation: "downloadReportExport",
    run: async ({ exportId, report, from, to, format }: Export, options) => {
      const content = await api.reports.download(exportId, options);
      return saveFile(content, `${report}-${from}-${to}.${format.toLowerCase()}`, "application/octet-stream");
    },
    done: t.isSaved,
  });
  return (
    <>
      <ErrorPanel error={save.error} />
      <Table
        label={t.exports}
        rows={exports}
        rowKey={({ exportId }) => exportId}
        columns={[
          {
            header: t.day,
            cell: ({ from, to }) => (
              <>
                <Day at={from} /> – <Day at={to} />
              </>
            ),
          },
          { header: t.format, cell: ({ format }) => format },
          {
            header: t.status,
            cell: ({ status, fault }) => (
              <>
                <StatusBadge status={status} tone={tones[status] ?? "neutral"} />
                {fault !== undefined && <span className="ml-1 text-bad">{wordOf(fault)}</span>}
              </>
            ),
          },
          { header: t.lines, isNumber: true, cell: ({ rows }) => <Figure value={String(rows)} /> },
          { header: t.asked, cell: ({ askedAt }) => <Time at={askedAt} /> },
          { header: t.expires, cell: ({ expiresAt }) => <Day at={expiresAt} /> },
          { header: t.sha256, cell: ({ sha256 }) => <Id value={sha256} short /> },
          {
            header: t.doIt,
            cell: (one) =>
              one.status === "DONE" ? (
                <IconButton
                  icon={Download}
                  label={t.download(`${one.from} – ${one.to}`)}
                  onClick={() => void save.run(one)}
                />
              ) : (
                <None />
              ),
          },
        ]}
      />
    </>
  );
}

type Request = Parameters<typeof api.reports.requestExport>[0];

function AskDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(figureTexts);
  const { timeZone } = useOrganisation();
  const now = today(timeZone);
  const form = useActionForm({
    operation: "requestReportExport",
    run: (request: Request, options) => api.reports.requestExport(request, options),
    stales: ["reports"],
    done: t.asked_,
    onDone: onClose,
    defaults: { from: plusDays(now, -29), to: now, format: "CSV" },
    toInput: ({ from, to, format }): Request => ({ report: "transactions", from, to, format }),
  });
  return (
    <FormDialog
      title={t.ask}
      of={form}
      submit={t.ask}
      intro={<p className="mb-4 text-muted">{t.askHint}</p>}
      onClose={onClose}
    >
      <div className="grid grid-cols-1 gap-3.5 sm:grid-cols-2">
        <TextField form={form.form} name="from" type="date" label={t.from} hint={timeZone} isRequired />
        <TextField form={form.form} name="to" type="date" label={t.to} hint={timeZone} isRequired />
      </div>
      <SelectField
        form={form.form}
        name="format"
        label={t.format}
        options={[
          { value: "CSV", label: "CSV" },
          { value: "JSONL", label: "JSON Lines" },
        ]}
      />
    </FormDialog>
  );
}
