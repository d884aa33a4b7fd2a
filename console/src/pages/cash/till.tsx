import { useQuery } from "@tanstack/react-query";
import { ArrowDownToLine, ArrowUpFromLine, BadgeCheck, Calculator, HandHelping, Lock, Plus } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useUser } from "../../lib/use-session";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { KeyValue } from "../../ui/facts";
import { Money, Time } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Page, Stack } from "../../ui/page";
import { Empty, Loaded, Section } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { useOwnNotes } from "../counter/own-notes";
import { CashInDialog, CashOutDialog } from "./cash-dialogs";
import { TakeCashInDialog } from "./take-cash-in-dialog";
import { HandOvers, OfferDialog } from "./hand-overs";
import { texts } from "./texts";
import { tillTexts } from "./till-texts";
import { CountDialog, OpenDialog } from "./till-dialogs";
import { openTillsQuery } from "./tills";
import type { Till } from "./types";

/**
 * The own tills of a cashier, or of an agent, who calls it a float: what can be done, and what was.
 */
export default function TillPage() {
  const t = useTexts(texts);
  const [isOpening, setOpening] = useState(false);
  const open = useQuery(openTillsQuery());
  const isAgent = useUser().role === "AGENT";
  const hasOwnNotes = useOwnNotes();
  const about = isAgent ? t.myFloatAbout : t.tillAbout;
  return (
    <Page
      title={isAgent ? t.myFloat : t.till}
      about={hasOwnNotes ? t.sellsFromAccountHint : about}
      actions={
        hasOwnNotes === false && (
          <Button icon={Plus} onClick={() => setOpening(true)}>
            {t.open}
          </Button>
        )
      }
    >
      <Loaded query={open} lines={5}>
        {(found) =>
          found.length === 0 ? (
            <div className="card">
              {hasOwnNotes ? (
                <Empty title={t.sellsFromAccount} />
              ) : (
                <Empty title={t.noOpenTill}>{t.noOpenTillHint}</Empty>
              )}
            </div>
          ) : (
            <Stack>
              {found.map((till) => (
                <OpenTill key={till.tillId} till={till} />
              ))}
              <HandOvers tills={found} />
            </Stack>
          )
        }
      </Loaded>
      <h2 className="text-lg font-semibold">{t.before}</h2>
      <TillList />
      {isOpening && <OpenDialog onClose={() => setOpening(false)} />}
    </Page>
  );
}

function OpenTill({ till }: { till: Till }) {
  const t = useTexts(texts);
  const isAgent = useUser().role === "AGENT";
  const words = useTexts(tillTexts);
  const [doing, setDoing] = useState<"in" | "take" | "out" | "count" | "close" | "offer">();
  const close = () => setDoing(undefined);
  const money = (amount: string | undefined) => <Money amount={amount} currency={till.currency} />;
  return (
    <Section
      title={`${isAgent ? t.myFloat : t.till} ${till.currency}`}
      actions={
        till.status !== "OPEN" ? (
          <StatusBadge status={till.status} />
        ) : (
          <>
            <Button icon={ArrowDownToLine} variant="primary" onClick={() => setDoing("in")}>
              {t.cashIn}
            </Button>
            <Button icon={BadgeCheck} onClick={() => setDoing("take")}>
              {t.takeApproved}
            </Button>
            <Button icon={ArrowUpFromLine} onClick={() => setDoing("out")}>
              {t.cashOut}
            </Button>
            <Button icon={Calculator} onClick={() => setDoing("count")}>
              {t.count}
            </Button>
            <Button icon={HandHelping} onClick={() => setDoing("offer")}>
              {words.handOver}
            </Button>
            <Button icon={Lock} onClick={() => setDoing("close")}>
              {t.close}
            </Button>
          </>
        )
      }
    >
      {till.status === "WAITING" && (
        <p role="status" className="mb-3 text-warn">
          {words.waiting} {money(till.difference)}. {words.waitingHint}
        </p>
      )}
      <KeyValue
        columns={3}
        facts={[
          {
            label: t.expected,
            value:
              till.expected === undefined ? (
                <span className="text-muted" title={words.hiddenHint}>
                  {words.hidden}
                </span>
              ) : (
                <strong>{money(till.expected)}</strong>
              ),
          },
          { label: t.float, value: money(till.float) },
          { label: t.opened, value: <Time at={till.openedAt} /> },
          { label: t.counted, value: money(till.counted) },
          { label: t.difference, value: money(till.difference) },
          {
            label: words.lines,
            value: (
              <Link to={`/till/${till.tillId}`} className="link">
                {words.linesTitle}
              </Link>
            ),
          },
          ...(till.branchCode === undefined ? [] : [{ label: words.branch, value: till.branchCode }]),
        ]}
      />
      {doing === "in" && <CashInDialog till={till} onClose={close} />}
      {doing === "take" && <TakeCashInDialog onClose={close} />}
      {doing === "out" && <CashOutDialog till={till} onClose={close} />}
      {doing === "offer" && <OfferDialog till={till} onClose={close} />}
      {doing === "count" && <CountDialog till={till} onClose={close} />}
      {doing === "close" && <CountDialog till={till} isClosing onClose={close} />}
    </Section>
  );
}

/** Tills by day: one's own, or everybody's for a manager, with what they do about one. */
export function TillList({ cashier, action }: { cashier?: Column<Till>; action?: Column<Till> }) {
  const t = useTexts(texts);
  const money = (till: Till, amount: string | undefined) => <Money amount={amount} currency={till.currency} />;
  const words = useTexts(tillTexts);
  const columns: readonly Column<Till>[] = [
    { header: t.opened, cell: (row) => <Time at={row.openedAt} /> },
    ...(cashier ? [cashier] : []),
    { header: t.float, isNumber: true, isMinor: true, cell: (row) => money(row, row.float) },
    { header: t.expected, isNumber: true, cell: (row) => money(row, row.expected) },
    {
      header: t.counted,
      isNumber: true,
      cell: (row) => (
        <span className="flex flex-col items-end">
          {money(row, row.counted)}
          {row.difference !== undefined && !/^-?0(\.0+)?$/.test(row.difference) && (
            <span className="flex flex-wrap justify-end gap-x-1 text-bad">
              {t.difference} {money(row, row.difference)}
            </span>
          )}
        </span>
      ),
    },
    {
      header: t.status,
      cell: (row) => (
        <span className="flex flex-col items-start gap-0.5">
          <StatusBadge status={row.status} />
          {row.closedAt && (
            <span className="sm:max-xl:hidden">
              <Time at={row.closedAt} />
            </span>
          )}
          {row.branchCode && (
            <span className="text-muted">
              {words.branch} {row.branchCode}
            </span>
          )}
        </span>
      ),
    },
    ...(action ? [action] : []),
  ];
  return (
    <DataTable
      label={t.tills}
      area="wallets"
      operation="listTills"
      list={api.cash.listTills}
      columns={columns}
      rowKey={(row) => row.tillId}
      rowLink={(row) => `/till/${row.tillId}`}
      empty={<Empty title={t.noTills}>{t.noTillsHint}</Empty>}
    />
  );
}
