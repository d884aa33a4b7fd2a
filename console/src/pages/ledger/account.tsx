import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { api, type AnswerOf } from "../../lib/api";
import { chartQuery } from "../../lib/chart";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useUrlState } from "../../lib/url-state";
import { useMay } from "../../lib/use-session";
import { Badge } from "../../ui/badge";
import { KeyValue } from "../../ui/facts";
import { Day, Id, Money, Time } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Columns, Page } from "../../ui/page";
import { Loaded, Section } from "../../ui/panels";
import { inWords } from "../../ui/words";
import { Entries } from "./entries";
import { texts } from "./texts";

type Account = AnswerOf<typeof api.ledger.readAccount>;

export default function AccountPage() {
  const t = useTexts(texts);
  const { accountId } = useParams({ strict: false }) as { accountId: string };
  const account = useQuery(
    read("ledger", "readLedgerAccount", { accountId }, (options) => api.ledger.readAccount(accountId, options)),
  );
  const { data } = account;
  return (
    <Page
      title={accountId}
      about={data?.meaning}
      badge={data?.flags.includes("CLOSED") && <Badge>{t.closed}</Badge>}
      back={{ to: "/ledger", label: t.accounts }}
    >
      <Columns>
        <Loaded query={account} lines={6}>
          {(found) => <Facts account={found} />}
        </Loaded>
        <AtDay accountId={accountId} />
      </Columns>
      <Entries accountId={accountId} />
    </Page>
  );
}

function Facts({ account }: { account: Account }) {
  const t = useTexts(texts);
  const may = useMay();
  const chart = useQuery({ ...chartQuery, enabled: may("readChart") });
  const code = chart.data?.codes.find((row) => row.code === account.code);
  const money = (amount: string) => <Money amount={amount} currency={account.currency} />;
  const known = { DEBITS_MUST_NOT_EXCEED_CREDITS: t.notOverdrawn, CREDITS_MUST_NOT_EXCEED_DEBITS: t.notOverpaid };
  const flags = account.flags.flatMap((flag) =>
    flag === "CLOSED" ? [] : [flag in known ? known[flag as keyof typeof known] : inWords(flag)],
  );
  return (
    <Section title={t.now}>
      <KeyValue
        columns={2}
        facts={[
          { label: t.balance, value: <strong>{money(account.balance)}</strong> },
          { label: t.debits, value: money(account.debitsPosted) },
          { label: t.credits, value: money(account.creditsPosted) },
          { label: t.debitsPending, value: money(account.debitsPending) },
          { label: t.creditsPending, value: money(account.creditsPending) },
          { label: t.type, value: inWords(account.type) },
          { label: t.code, value: <code className="text-xs">{account.code}</code> },
          ...(code === undefined
            ? [{ label: t.service, value: account.service }]
            : [
                { label: t.growsOn, value: inWords(code.side) },
                { label: t.postedBy, value: code.postedBy.join(", ") },
              ]),
          ...(flags.length > 0 ? [{ label: t.rule, value: flags.join(", ") }] : []),
          ...(account.ownerId
            ? [
                {
                  label: t.owner,
                  value: (
                    <Link to={`/customers/${account.ownerId}`} className="link">
                      {t.customer}
                    </Link>
                  ),
                },
              ]
            : []),
          { label: t.opened, value: <Time at={account.createdAt} /> },
          { label: t.id, value: <Id value={account.accountId} /> },
        ]}
      />
    </Section>
  );
}

/** The balance at the end of a day that stands in the address. */
function AtDay({ accountId }: { accountId: string }) {
  const t = useTexts(texts);
  const { values, set } = useUrlState();
  const day = values["day"] ?? "";
  const balance = useQuery({
    ...read("ledger", "readLedgerBalance", { accountId, at: day }, (options) =>
      api.ledger.readBalance(accountId, { at: day }, options),
    ),
    enabled: day !== "",
  });
  return (
    <Section title={t.balanceAt}>
      <label className="mb-3 flex flex-col gap-0.5">
        <span className="text-xs text-muted">{t.day}</span>
        <input
          type="date"
          className="control"
          value={day}
          onChange={(event) => set({ day: event.target.value || undefined }, true)}
        />
      </label>
      {day === "" ? (
        <p className="text-muted">{t.dayHint}</p>
      ) : (
        <Loaded query={balance} lines={2}>
          {(found) => (
            <KeyValue
              columns={1}
              facts={[
                { label: t.endOf, value: <Day at={found.effectiveDate} /> },
                {
                  label: t.balance,
                  value: (
                    <strong>
                      <Money amount={found.balance} currency={found.currency} />
                    </strong>
                  ),
                },
                { label: t.debits, value: <Money amount={found.debitsPosted} currency={found.currency} /> },
                { label: t.credits, value: <Money amount={found.creditsPosted} currency={found.currency} /> },
              ]}
            />
          )}
        </Loaded>
      )}
    </Section>
  );
}
