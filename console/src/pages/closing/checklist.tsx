import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { CheckCircle2, Lock, RefreshCw } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useMay } from "../../lib/use-session";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { Ago, None } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Loaded, Section } from "../../ui/panels";
import { Table } from "../../ui/table";
import { useAction } from "../../ui/use-action";
import { inWords } from "../../ui/words";
import { pageOf } from "./blockers";
import { usePeriodText } from "./period-text";
import { texts } from "./texts";
import type { Blocker } from "./types";

const away = "SERVICE_AWAY";

/** What is missing before a period is closed, and the button that closes it once nothing is. */
export function Checklist({ period }: { period: string }) {
  const t = useTexts(texts);
  const may = useMay();
  const name = usePeriodText()(period);
  const [isClosing, setClosing] = useState(false);
  const checklist = useQuery(
    read("books", "readPeriod", { period }, (options) => api.books.readPeriod(period, options)),
  );
  const isComplete = checklist.data?.blockers.length === 0;
  return (
    <Section
      title={t.checklistOf(name)}
      flush
      actions={
        <>
          <Button icon={RefreshCw} busy={checklist.isFetching} onClick={() => void checklist.refetch()}>
            {t.again}
          </Button>
          {may("closePeriod") && (
            <Button variant="primary" icon={Lock} disabled={!isComplete} onClick={() => setClosing(true)}>
              {t.close(name)}
            </Button>
          )}
        </>
      }
    >
      <Loaded query={checklist} lines={4}>
        {({ blockers }) =>
          blockers.length === 0 ? (
            <p className="flex items-center gap-2 p-4">
              <CheckCircle2 size={17} aria-hidden className="text-good" />
              <span>
                <strong>{t.complete}.</strong> {t.completeHint(name)}
              </span>
            </p>
          ) : (
            <Missing blockers={blockers} />
          )
        }
      </Loaded>
      {isClosing && <CloseDialog period={period} name={name} onClose={() => setClosing(false)} />}
    </Section>
  );
}

function Missing({ blockers }: { blockers: readonly Blocker[] }) {
  const t = useTexts(texts);
  const words = t as Readonly<Record<string, unknown>>;
  const wordOf = (code: string) => (typeof words[code] === "string" ? words[code] : inWords(code));
  return (
    <Table
      label={t.checklist}
      rows={blockers}
      rowKey={({ service, kind }) => `${service} ${kind}`}
      columns={[
        { header: t.service, cell: ({ service }) => wordOf(service) },
        {
          header: t.what,
          cell: ({ kind }) => <span className={kind === away ? "text-bad" : ""}>{wordOf(kind)}</span>,
        },
        {
          header: t.count,
          isNumber: true,
          cell: ({ kind, count, atLeast }) =>
            kind === away ? (
              <None />
            ) : (
              <Badge tone="warn">{atLeast === true ? t.atLeast(String(count)) : String(count)}</Badge>
            ),
        },
        { header: t.oldest, cell: ({ oldestAt }) => <Ago at={oldestAt} /> },
        { header: t.doIt, cell: (blocker) => <Mend blocker={blocker} /> },
      ]}
    />
  );
}

function Mend({ blocker: { service, kind } }: { blocker: Blocker }) {
  const t = useTexts(texts);
  const page = pageOf(service, kind);
  if (page === undefined) return <span className="text-muted">{t.operators}</span>;
  return (
    <Link to={page} className="link font-medium" data-row="">
      {t.mend}
    </Link>
  );
}

function CloseDialog({ period, name, onClose }: { period: string; name: string; onClose: () => void }) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const close = useAction({
    operation: "closePeriod",
    run: (_reason: string, options) => api.books.closePeriod(period, options),
    stales: ["books", "ledger"],
    done: t.closed(name),
    onDone: ({ number }) => void navigate({ to: `/close/${number}` }),
  });
  return (
    <ConfirmDialog title={t.closeTitle(name)} confirm={t.close(name)} reason="none" action={close} onClose={onClose}>
      <p>{period.length === 10 ? t.closeDay : t.closeSpan}</p>
      {/-?12-31$|^\d{4}$|-12$/.test(period) && <p className="mt-2">{t.closeYear}</p>}
    </ConfirmDialog>
  );
}
