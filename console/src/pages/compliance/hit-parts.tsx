import { useLanguage, useTexts } from "../../lib/language";
import { grouped } from "../../lib/money";
import { Table } from "../../ui/table";
import { piecesOf, type Piece } from "./alike";
import { useWord } from "./codes";
import { complianceTexts } from "./texts";

export interface HitPart {
  part: string;
  ours: string;
  theirs: string;
  score: number;
  effect: number;
  note?: string | undefined;
}

/**
 * Why a hit has its score: what was compared with what, how much alike it
 * is, and what that adds or takes.
 */
export function HitParts({ parts, score, name }: { parts: readonly HitPart[]; score: number; name: string }) {
  const t = useTexts(complianceTexts);
  const word = useWord();
  const language = useLanguage();
  return (
    <Table
      label={t.whole(name)}
      rows={parts}
      rowKey={(_part, index) => index}
      columns={[
        { header: t.part, isHeading: true, cell: ({ part }) => word(part) },
        { header: t.ours, cell: ({ ours, theirs }) => <Compared pieces={piecesOf(ours, theirs).ours} /> },
        {
          header: t.theirs,
          cell: ({ ours, theirs, note }) => (
            <>
              <Compared pieces={piecesOf(ours, theirs).theirs} />
              {note && <p className="text-xs text-muted">{note}</p>}
            </>
          ),
        },
        { header: t.alike, cell: (row) => <AlikeBar alike={row.score} /> },
        {
          header: t.effect,
          isNumber: true,
          cell: ({ effect }) => (
            <span className={effect < 0 ? "text-bad" : effect > 0 ? "text-good" : "text-muted"}>
              {effect > 0 && "+"}
              {grouped(String(effect), language)}
            </span>
          ),
        },
      ]}
      sums={
        <tr>
          <th scope="row" colSpan={4}>
            {t.total}
          </th>
          <td className="is-number font-semibold" data-label={t.effect}>
            {grouped(String(score), language)}
          </td>
        </tr>
      }
    />
  );
}

function Compared({ pieces }: { pieces: readonly Piece[] }) {
  const t = useTexts(complianceTexts);
  if (pieces.length === 0) return <span className="text-muted">{t.notTold}</span>;
  return (
    <span className="[overflow-wrap:break-word]">
      {pieces.map(({ text, isAlike }, index) =>
        isAlike ? (
          <span key={index}>{text}</span>
        ) : (
          <mark key={index} className="rounded-sm bg-bad-soft text-bad">
            {text}
          </mark>
        ),
      )}
    </span>
  );
}

function AlikeBar({ alike }: { alike: number }) {
  const language = useLanguage();
  const fill = alike >= 900 ? "bg-good" : alike >= 500 ? "bg-warn" : "bg-bad";
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden className="inline-block h-2 w-20 overflow-hidden rounded bg-line">
        <span className={`block h-full ${fill}`} style={{ width: `${Math.min(1_000, Math.max(0, alike)) / 10}%` }} />
      </span>
      <span className="figures text-xs">{grouped(String(alike), language)}</span>
    </span>
  );
}
