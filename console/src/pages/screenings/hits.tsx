import { ChevronLeft, ChevronRight, UserCheck, UserX } from "lucide-react";
import { useState } from "react";
import { useTexts } from "../../lib/language";
import { useMay } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { Empty } from "../../ui/panels";
import { uiTexts } from "../../ui/texts";
import { HitCard } from "../compliance/hit-card";
import type { Hit, Screening } from "../compliance/types";
import { DecideDialog, type Decision } from "./decide-dialog";
import { ReleaseDialog } from "./release-dialog";
import { texts } from "./texts";

interface Deciding {
  decision: Decision;
  hitIds: readonly string[];
}

const hitsOfPage = 20;

/** The hits of a comparison by page, decided one by one or several with one word. */
export function Hits({ screening }: { screening: Screening }) {
  const t = useTexts(texts);
  const may = useMay();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [deciding, setDeciding] = useState<Deciding>();
  const [releasing, setReleasing] = useState<string>();
  const mayDecide = may("decideScreeningHits");
  const [page, setPage] = useState(1);
  const shown = screening.hits.slice((page - 1) * hitsOfPage, page * hitsOfPage);
  const open = shown.filter(({ state }) => state === "OPEN").map(({ hitId }) => hitId);
  // What somebody else has decided meanwhile is chosen no more.
  const picked = open.filter((hitId) => chosen.has(hitId));
  const toggle = (hitId: string) =>
    setChosen((before) => {
      const after = new Set(before);
      if (!after.delete(hitId)) after.add(hitId);
      return after;
    });
  if (screening.hits.length === 0) {
    return (
      <div className="card">
        <Empty title={t.noHits}>{screening.reason ?? t.noHitsHint}</Empty>
      </div>
    );
  }
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {screening.isCut && <p className="rounded-lg border border-line bg-warn-soft px-3 py-2 text-warn">{t.cut}</p>}
      {mayDecide && open.length > 1 && (
        <div className="card sticky top-14 z-10 flex flex-wrap items-center gap-2 px-4 py-2">
          <label className="mr-auto flex items-center gap-2">
            <input
              type="checkbox"
              className="size-4 accent-(--accent)"
              checked={picked.length === open.length}
              onChange={() => setChosen(new Set(picked.length === open.length ? [] : open))}
            />
            {t.chosen(String(picked.length), String(open.length))}
          </label>
          <DecideButtons
            isOff={picked.length === 0}
            onDecide={(decision) => setDeciding({ decision, hitIds: picked })}
          />
        </div>
      )}
      {shown.map((hit) => (
        <HitCard
          key={hit.hitId}
          hit={hit}
          subject={screening.subject}
          choice={
            mayDecide &&
            open.length > 1 &&
            hit.state === "OPEN" && (
              <input
                type="checkbox"
                className="size-4 accent-(--accent)"
                aria-label={t.choose(hit.matchedName)}
                checked={chosen.has(hit.hitId)}
                onChange={() => toggle(hit.hitId)}
              />
            )
          }
          actions={
            <Actions
              hit={hit}
              onDecide={(decision) => setDeciding({ decision, hitIds: [hit.hitId] })}
              onRelease={() => setReleasing(hit.hitId)}
            />
          }
        />
      ))}
      {screening.hits.length > hitsOfPage && <Pages page={page} count={screening.hits.length} onTurn={setPage} />}
      {deciding && <DecideDialog screening={screening} {...deciding} onClose={() => setDeciding(undefined)} />}
      {releasing && <ReleaseDialog screening={screening} hitId={releasing} onClose={() => setReleasing(undefined)} />}
    </div>
  );
}

function Pages({ page, count, onTurn }: { page: number; count: number; onTurn: (page: number) => void }) {
  const t = useTexts(uiTexts);
  return (
    <nav aria-label={t.page(String(page))} className="card flex flex-wrap items-center justify-between gap-2 px-4 py-2">
      <span className="figures text-xs text-muted">
        {t.page(String(page))} · {t.rows(String(count))}
      </span>
      <span className="flex gap-1">
        <Button variant="quiet" icon={ChevronLeft} disabled={page === 1} onClick={() => onTurn(page - 1)}>
          {t.previous}
        </Button>
        <Button
          variant="quiet"
          icon={ChevronRight}
          disabled={page * hitsOfPage >= count}
          onClick={() => onTurn(page + 1)}
        >
          {t.next}
        </Button>
      </span>
    </nav>
  );
}

interface ActionsProps {
  hit: Hit;
  onDecide: (decision: Decision) => void;
  onRelease: () => void;
}

function Actions({ hit, onDecide, onRelease }: ActionsProps) {
  const t = useTexts(texts);
  const may = useMay();
  if (hit.state === "OPEN" && may("decideScreeningHits")) return <DecideButtons onDecide={onDecide} />;
  if (hit.state === "CONFIRMED" && hit.release === undefined && may("releaseScreeningHit")) {
    return <Button onClick={onRelease}>{t.release}</Button>;
  }
  return null;
}

function DecideButtons({ isOff = false, onDecide }: { isOff?: boolean; onDecide: (decision: Decision) => void }) {
  const t = useTexts(texts);
  return (
    <>
      <Button icon={UserX} disabled={isOff} onClick={() => onDecide("FALSE_POSITIVE")}>
        {t.another}
      </Button>
      <Button icon={UserCheck} variant="danger" disabled={isOff} onClick={() => onDecide("CONFIRMED")}>
        {t.same}
      </Button>
    </>
  );
}
