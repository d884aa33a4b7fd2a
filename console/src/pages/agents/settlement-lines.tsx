import { Download } from "lucide-react";
import { useState, type ReactNode } from "react";
import { api, type AnswerOf, type RowOf } from "../../lib/api";
import { saveFile } from "../../lib/files";
import { useTexts } from "../../lib/language";
import { useMay } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Day, Money } from "../../ui/figures";
import { Empty, ErrorPanel, Section } from "../../ui/panels";
import { Rows } from "../../ui/rows";
import type { Column } from "../../ui/table";
import { useAction } from "../../ui/use-action";
import { inWords } from "../../ui/words";
import { settlementTexts } from "./settlement-texts";

type Settlement = AnswerOf<typeof api.agents.readAgentSettlement>;
type Line = RowOf<typeof api.agents.listAgentSettlementLines>;
type MovedLine = Settlement["carried"][number];

/** The API takes no more at once. */
const maxChosen = 100;
/** The others move what is there already, and are settled by nobody. */
const settledKinds: ReadonlySet<string> = new Set(["SALE", "PICKUP", "COMMISSION", "CLAW_BACK"]);

/** Lines that go to the next settlement once the dispute is ended. */
export interface ChosenLines {
  lineIds: readonly string[];
  toggle: (lineId: string) => void;
  clear: () => void;
}

export function useChosenLines(): ChosenLines {
  const [lineIds, setChosen] = useState<readonly string[]>([]);
  const toggle = (lineId: string) =>
    setChosen((before) =>
      before.includes(lineId) ? before.filter((each) => each !== lineId) : [...before, lineId].slice(0, maxChosen),
    );
  return { lineIds, toggle, clear: () => setChosen([]) };
}

interface Props {
  of: Settlement;
  chosen: ChosenLines;
}

/** What it settles of settlements before it, what the next one settles of it, and its own lines. */
export function SettlementLines({ of, chosen }: Props) {
  const t = useTexts(settlementTexts);
  const moved = new Set(of.movedOn.map(({ lineId }) => lineId));
  const isChoosing = useMay()("endAgentSettlementDispute") && of.status === "DISPUTED";
  const choiceOf = (line: MovedLine) =>
    settledKinds.has(line.kind) && !moved.has(line.lineId) ? (
      <Choice line={line} currency={of.currency} chosen={chosen} />
    ) : undefined;
  const choice = isChoosing ? choiceOf : undefined;
  return (
    <>
      {isChoosing && <p className="text-muted">{t.chooseHint}</p>}
      {of.carried.length > 0 && (
        <MovedLines title={t.carried} lines={of.carried} moved={moved} currency={of.currency} choice={choice} />
      )}
      {of.movedOn.length > 0 && <MovedLines title={t.movedOn} lines={of.movedOn} currency={of.currency} />}
      <OwnLines of={of} moved={moved} choice={choice} />
    </>
  );
}

function Choice({ line, currency, chosen }: { line: MovedLine; currency: string; chosen: ChosenLines }) {
  const t = useTexts(settlementTexts);
  const isChosen = chosen.lineIds.includes(line.lineId);
  return (
    <input
      type="checkbox"
      className="size-4 accent-(--accent)"
      aria-label={t.moveLine(`${inWords(line.kind)} ${line.amount} ${currency}`)}
      checked={isChosen}
      disabled={!isChosen && chosen.lineIds.length >= maxChosen}
      onChange={() => chosen.toggle(line.lineId)}
    />
  );
}

/** Asks for lines where they can be chosen. */
function useChoiceColumn<Row extends MovedLine>(choice: ((line: Row) => ReactNode) | undefined): Column<Row>[] {
  const t = useTexts(settlementTexts);
  return choice ? [{ header: t.move, cell: choice }] : [];
}

/** A kind, and whether the next settlement has the line. */
function Kind({ kind, isMoved }: { kind: string; isMoved: boolean }) {
  const t = useTexts(settlementTexts);
  return (
    <>
      {inWords(kind)} {isMoved && <span className="text-muted">{t.isMoved}</span>}
    </>
  );
}

interface MovedProps {
  title: string;
  lines: readonly MovedLine[];
  /** Those of them that the next settlement has. */
  moved?: ReadonlySet<string>;
  currency: string;
  choice?: ((line: MovedLine) => ReactNode) | undefined;
}

function MovedLines({ title, lines, moved, currency, choice }: MovedProps) {
  const t = useTexts(settlementTexts);
  const columns: readonly Column<MovedLine>[] = [
    ...useChoiceColumn(choice),
    { header: t.kind, cell: (row) => <Kind kind={row.kind} isMoved={moved?.has(row.lineId) ?? false} /> },
    { header: t.account, cell: (row) => inWords(row.account) },
    { header: t.amount, isNumber: true, cell: (row) => <Money amount={row.amount} currency={currency} /> },
  ];
  return (
    <Section title={title} flush>
      <Rows label={title} rows={lines} columns={columns} rowKey={({ lineId }) => lineId} empty={t.noLines} />
    </Section>
  );
}

interface OwnProps {
  of: Settlement;
  moved: ReadonlySet<string>;
  choice: ((line: MovedLine) => ReactNode) | undefined;
}

function OwnLines({ of: { settlementId, number }, moved, choice }: OwnProps) {
  const t = useTexts(settlementTexts);
  const file = useAction({
    operation: "agentStatement",
    run: async () =>
      saveFile(
        await api.agents.agentStatement(settlementId, { format: "csv" }),
        `settlement-${number}.csv`,
        "text/csv",
      ),
  });
  const columns: readonly Column<Line>[] = [
    ...useChoiceColumn<Line>(choice),
    { header: t.businessDay, cell: (row) => <Day at={row.businessDay} /> },
    { header: t.kind, cell: (row) => <Kind kind={row.kind} isMoved={moved.has(row.lineId)} /> },
    { header: t.account, cell: (row) => inWords(row.account) },
    { header: t.amount, isNumber: true, cell: (row) => <Money amount={row.amount} currency={row.currency} /> },
    { header: t.transaction, cell: (row) => row.transactionCode },
  ];
  return (
    <Section
      title={t.lines}
      actions={
        <Button icon={Download} busy={file.isRunning} onClick={() => void file.run()}>
          {t.exportCsv}
        </Button>
      }
      flush
    >
      <ErrorPanel error={file.error} />
      <DataTable
        label={t.lines}
        area="wallets"
        operation="listAgentSettlementLines"
        list={(query, options) => api.agents.listAgentSettlementLines(settlementId, query, options)}
        of={settlementId}
        columns={columns}
        rowKey={({ lineId }) => lineId}
        empty={<Empty title={t.noLines} />}
      />
    </Section>
  );
}
