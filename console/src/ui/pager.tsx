import type { Query } from "@manilla/client";
import { ChevronLeft, ChevronRight, ChevronsLeft } from "lucide-react";
import { useTexts } from "../lib/language";
import { firstPage, pageAfter, pageBefore, useUrlState } from "../lib/url-state";
import { Button } from "./button";
import { uiTexts } from "./texts";

/**
 * Steps through pages that only the server can name: on by what it said, back by the
 * places that the address keeps.
 */
export function Pager({ page, count, next }: { page: number; count: number; next: Query | undefined }) {
  const t = useTexts(uiTexts);
  const { values, set } = useUrlState();
  const before = pageBefore(values);
  const [place] = Object.entries(next ?? {});
  return (
    <nav
      aria-label={t.page(String(page))}
      className="flex flex-wrap items-center justify-between gap-2 border-t border-line px-3 py-1.5"
    >
      <span className="figures text-xs text-muted">
        {t.page(String(page))} · {t.rows(String(count))}
      </span>
      {(page > 1 || place) && (
        <span className="flex gap-1">
          {page > 1 && (
            <>
              <Button variant="quiet" icon={ChevronsLeft} onClick={() => set(firstPage)}>
                {t.firstPage}
              </Button>
              {before && (
                <Button variant="quiet" icon={ChevronLeft} onClick={() => set(before)}>
                  {t.previous}
                </Button>
              )}
            </>
          )}
          {place && (
            <Button
              variant="quiet"
              icon={ChevronRight}
              onClick={() => set(pageAfter(values, `${place[0]}~${String(place[1])}`))}
            >
              {t.next}
            </Button>
          )}
        </span>
      )}
    </nav>
  );
}
