import type { CallOptions } from "@manilla/client";
import { CheckCircle2, FlaskConical } from "lucide-react";
import { useId, useRef, useState } from "react";
import type { OperationId } from "../../generated/roles";
import { defineTexts, useTexts } from "../../lib/language";
import { textOrNull } from "../../lib/typed";
import { Button } from "../../ui/button";
import { Dialog, DialogActions } from "../../ui/dialog";
import { KeyValue } from "../../ui/facts";
import { Figure } from "../../ui/figures";
import { ErrorPanel } from "../../ui/panels";
import { Rows } from "../../ui/rows";
import { useAction } from "../../ui/use-action";

const texts = defineTexts({
  en: {
    title: "Load CSV",
    hint: "A header line, then a line each. What is right is taken; every faulty line is reported and changes nothing.",
    columns: "Columns",
    file: "File",
    content: "Content",
    reason: "Reason",
    reasonHint: "For who approves what needs it.",
    tryIt: "Try it",
    load: "Load",
    close: "Close",
    tried: "Tried: nothing is changed",
    loaded: "Loaded",
    waiting: "Wait for approval",
    lines: "Lines",
    created: "New",
    changed: "Changed",
    unchanged: "As before",
    faults: "Faulty lines",
    noFaults: "No line is faulty.",
    line: "Line",
    column: "Column",
    fault: "Fault",
    empty: "Choose a file, or paste its lines.",
  },
  fr: {
    title: "Charger un CSV",
    hint: "Une ligne d’en-tête, puis une ligne chacun. Ce qui est juste est pris ; chaque ligne fautive est signalée et ne change rien.",
    columns: "Colonnes",
    file: "Fichier",
    content: "Contenu",
    reason: "Motif",
    reasonHint: "Pour qui approuve ce qui doit l’être.",
    tryIt: "Essayer",
    load: "Charger",
    close: "Fermer",
    tried: "Essai : rien n’est modifié",
    loaded: "Chargé",
    waiting: "Attendent une approbation",
    lines: "Lignes",
    created: "Nouvelles",
    changed: "Modifiées",
    unchanged: "Comme avant",
    faults: "Lignes fautives",
    noFaults: "Aucune ligne n’est fautive.",
    line: "Ligne",
    column: "Colonne",
    fault: "Faute",
    empty: "Choisissez un fichier, ou collez ses lignes.",
  },
});

interface Report {
  lines: number;
  created: number;
  changed?: number;
  unchanged: number;
  waiting?: number;
  faults: readonly { line: number; column?: string; message: string }[];
}

interface Body {
  csv: string;
  dryRun: boolean;
  reason?: string | null;
}

interface Props {
  operation: OperationId;
  load: (body: Body, options: CallOptions) => PromiseLike<Report>;
  takesReason?: boolean;
  /** Of the header line. */
  columns: string;
  onClose: () => void;
}

/** Tries a file or loads it, and shows what came of each line. */
export function CsvDialog({ operation, load, takesReason = false, columns, onClose }: Props) {
  const t = useTexts(texts);
  const id = useId();
  const [csv, setCsv] = useState("");
  const [reason, setReason] = useState("");
  const [isMissing, setMissing] = useState(false);
  const [answer, setAnswer] = useState<{ report: Report; isTrial: boolean }>();
  const reported = useRef<HTMLDivElement>(null);
  const send = useAction({
    operation,
    run: (dryRun: boolean, options) =>
      load({ csv, dryRun, ...(takesReason && { reason: textOrNull(reason) }) }, options).then((report) => {
        setAnswer({ report, isTrial: dryRun });
        setTimeout(() => reported.current?.scrollIntoView({ block: "nearest" }));
        return report;
      }),
    stales: ["corridors", "approvals", "home"],
  });
  const submit = (dryRun: boolean) => {
    setMissing(csv.trim() === "");
    if (csv.trim() !== "") void send.run(dryRun);
  };
  return (
    <Dialog wide title={t.title} onClose={onClose}>
      <div className="flex flex-col gap-3.5">
        <ErrorPanel error={send.error} />
        <p className="text-muted">{t.hint}</p>
        <div>
          <span className="text-xs text-muted">{t.columns}</span>
          <p className="font-mono text-[0.75rem] [overflow-wrap:anywhere]">{columns.replaceAll(",", ", ")}</p>
        </div>
        <label className="flex flex-col gap-1">
          <span className="font-medium">{t.file}</span>
          <input
            type="file"
            accept=".csv,text/csv,text/plain"
            className="control"
            onChange={(event) => void event.target.files?.[0]?.text().then(setCsv)}
          />
        </label>
        <label className="flex flex-col gap-1">
          <span className="font-medium">{t.content}</span>
          <textarea
            className="control font-mono text-[0.75rem]"
            rows={8}
            spellCheck={false}
            wrap="off"
            value={csv}
            aria-invalid={isMissing}
            aria-describedby={`${id}-fault`}
            onChange={(event) => {
              setCsv(event.target.value);
              setAnswer(undefined);
            }}
          />
        </label>
        <p id={`${id}-fault`} role="alert" className="text-bad">
          {isMissing && csv.trim() === "" ? t.empty : ""}
        </p>
        {takesReason && (
          <label className="flex flex-col gap-1">
            <span className="font-medium">{t.reason}</span>
            <input className="control" value={reason} onChange={(event) => setReason(event.target.value)} />
            <span className="text-xs text-muted">{t.reasonHint}</span>
          </label>
        )}
        <div ref={reported} aria-live="polite">
          {answer && <Outcome {...answer} />}
        </div>
      </div>
      <DialogActions>
        <Button onClick={onClose}>{t.close}</Button>
        <Button icon={FlaskConical} busy={send.isRunning} onClick={() => submit(true)}>
          {t.tryIt}
        </Button>
        <Button variant="primary" icon={CheckCircle2} busy={send.isRunning} onClick={() => submit(false)}>
          {t.load}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Outcome({ report, isTrial }: { report: Report; isTrial: boolean }) {
  const t = useTexts(texts);
  const counts = [
    [t.lines, report.lines],
    [t.created, report.created],
    [t.changed, report.changed],
    [t.unchanged, report.unchanged],
    [t.waiting, report.waiting],
    [t.faults, report.faults.length],
  ] as const;
  return (
    <section aria-label={isTrial ? t.tried : t.loaded} className="card overflow-hidden">
      <h3 className="border-b border-line px-4 py-2 font-semibold">{isTrial ? t.tried : t.loaded}</h3>
      <div className="p-4">
        <KeyValue
          columns={3}
          facts={counts
            .filter(([, count]) => count !== undefined)
            .map(([label, count]) => ({ label, value: <Figure value={count} /> }))}
        />
      </div>
      <Rows
        label={t.faults}
        rows={report.faults}
        rowKey={(fault) => `${fault.line} ${fault.column} ${fault.message}`}
        empty={t.noFaults}
        columns={[
          { header: t.line, isNumber: true, cell: (fault) => <Figure value={fault.line} /> },
          { header: t.column, cell: (fault) => fault.column },
          { header: t.fault, cell: (fault) => <span className="text-bad">{fault.message}</span> },
        ]}
      />
    </section>
  );
}
