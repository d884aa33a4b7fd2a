import { FlaskConical } from "lucide-react";
import { useState } from "react";
import { api, type AnswerOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Money, Time } from "../../ui/figures";
import { Form, TextField, useActionForm } from "../../ui/form";
import { Link } from "../../ui/link";
import { Section } from "../../ui/panels";
import { Table } from "../../ui/table";
import { useWord } from "../compliance/codes";
import { clockIn, momentIn } from "../compliance/zoned";
import { texts } from "./texts";

type Result = AnswerOf<typeof api.compliance.tryPolicyDraft>;

const weekMs = 7 * 86_400_000;

/** Decides past transactions once more by the saved draft; nothing is changed by it. */
export function Trial({ isEdited }: { isEdited: boolean }) {
  const t = useTexts(texts);
  const { timeZone } = useOrganisation();
  const [result, setResult] = useState<Result>();
  const form = useActionForm({
    operation: "tryCompliancePolicyDraft",
    run: (input: { from: string; to: string }, options) => api.compliance.tryPolicyDraft(input, options),
    onDone: setResult,
    defaults: { from: clockIn(Date.now() - weekMs, timeZone), to: clockIn(Date.now(), timeZone) },
    keep: true,
    toInput: ({ from, to }) => ({ from: momentIn(from, timeZone), to: momentIn(to, timeZone) }),
  });
  return (
    <Section title={t.try}>
      <p className="mb-3 text-muted">{isEdited ? t.saveFirst : t.tryHint}</p>
      <Form of={form}>
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:max-w-2xl">
          <TextField form={form.form} name="from" type="datetime-local" label={t.from} hint={timeZone} isRequired />
          <TextField form={form.form} name="to" type="datetime-local" label={t.to} hint={timeZone} isRequired />
        </div>
        <div>
          <Button type="submit" icon={FlaskConical} disabled={isEdited} busy={form.isRunning}>
            {t.try}
          </Button>
        </div>
      </Form>
      {result && <Outcome result={result} />}
    </Section>
  );
}

function Outcome({ result }: { result: Result }) {
  const t = useTexts(texts);
  const word = useWord();
  return (
    <div className="mt-4 flex flex-col gap-4" aria-live="polite">
      <p>
        {t.tried(String(result.transactions), String(result.liveVersion), String(result.draftRevision))}
        {result.truncated && <> {t.truncated}</>}
      </p>
      <ul className="flex flex-col gap-1">
        {result.counts.map(({ live, draft, transactions }) => (
          <li key={`${live} ${draft}`} className="flex flex-wrap items-center gap-2">
            <span className="figures w-16 text-right font-medium">{transactions}</span>
            <StatusBadge status={live} label={word(live)} /> → <StatusBadge status={draft} label={word(draft)} />
          </li>
        ))}
      </ul>
      {result.members.length > 0 && (
        <Table
          label={t.wouldBeAsked}
          rows={result.members}
          rowKey={({ member }) => member}
          columns={[
            { header: t.wouldBeAsked, cell: ({ member }) => word(member) },
            { header: t.inForce, cell: (row) => t.askedAndMissing(String(row.liveAsked), String(row.liveMissing)) },
            { header: t.byDraft, cell: (row) => t.askedAndMissing(String(row.draftAsked), String(row.draftMissing)) },
          ]}
        />
      )}
      {result.differences.length > 0 && (
        <div className="overflow-x-auto">
          <Table
            label={t.differences}
            rows={result.differences}
            rowKey={({ transactionId }) => transactionId}
            columns={[
              {
                header: t.transaction,
                cell: ({ transactionId }) => (
                  <Link to={`/transactions/${transactionId}`} className="link font-mono text-xs">
                    …{transactionId.slice(-12)}
                  </Link>
                ),
              },
              {
                header: t.amount,
                isNumber: true,
                cell: (row) => <Money amount={row.amount} currency={row.currency} />,
              },
              { header: t.inForce, cell: ({ live, liveRules }) => <Decided as={live} rules={liveRules} /> },
              { header: t.byDraft, cell: ({ draft, draftRules }) => <Decided as={draft} rules={draftRules} /> },
              { header: t.decided, cell: (row) => <Time at={row.decidedAt} /> },
            ]}
          />
        </div>
      )}
    </div>
  );
}

function Decided({ as, rules }: { as: string; rules: readonly string[] }) {
  const word = useWord();
  return (
    <>
      <StatusBadge status={as} label={word(as)} /> <span className="text-xs text-muted">{rules.join(", ")}</span>
    </>
  );
}
