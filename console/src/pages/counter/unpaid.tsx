import { useQuery } from "@tanstack/react-query";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { StatusBadge } from "../../ui/badge";
import { Money, Time } from "../../ui/figures";
import { Form, SubmitButton, TextField, useActionForm } from "../../ui/form";
import { Loaded, Section } from "../../ui/panels";
import { texts } from "./texts";

interface Props {
  chosen: string | undefined;
  onOpen: (transactionId: string) => void;
}

const mostShown = 20;

/** What was made at the desk and nobody has paid; anybody's by its code. */
export function Unpaid({ chosen, onOpen }: Props) {
  const t = useTexts(texts);
  const query = { status: "AWAITING_PAYMENT,AWAITING_COMPLIANCE", size: mostShown };
  const waiting = useQuery(
    read(
      "transactions",
      "listTransactions",
      query,
      async (options) => (await api.transactions.list(query, options).page()).items,
    ),
  );
  return (
    <Section title={t.unpaid}>
      <Loaded query={waiting}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="text-muted">{t.noUnpaid}</p>
          ) : (
            <ul className="flex flex-col gap-1" aria-label={t.unpaid}>
              {rows.map((row) => (
                <li key={row.id}>
                  <button
                    type="button"
                    aria-current={row.id === chosen}
                    className="w-full rounded-md border border-line px-3 py-2 text-left hover:bg-accent-soft aria-[current=true]:border-accent"
                    onClick={() => onOpen(row.id)}
                  >
                    <span className="flex justify-between gap-2">
                      <span className="font-medium [overflow-wrap:anywhere]">{row.sender.name}</span>
                      <Money amount={row.totalAmount} currency={row.sendCurrency} />
                    </span>
                    <span className="flex flex-wrap justify-between gap-x-2 text-xs text-muted">
                      <span className="font-mono">{row.transactionCode}</span>
                      {row.status === "AWAITING_PAYMENT" ? (
                        <span>
                          {t.validUntil} <Time at={row.expiresAt} />
                        </span>
                      ) : (
                        <StatusBadge status={row.status} />
                      )}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <div className="mt-4 border-t border-line pt-3">
        <ByCode onOpen={onOpen} />
      </div>
    </Section>
  );
}

function ByCode({ onOpen }: Pick<Props, "onOpen">) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "readTransaction",
    run: (code: string, options) => api.transactions.read(code, options),
    onDone: ({ id }) => onOpen(id),
    defaults: { code: "" },
    toInput: ({ code }: { code: string }) => code.trim(),
  });
  return (
    <Form of={form}>
      <TextField form={form.form} name="code" label={t.ofColleague} hint={t.ofColleagueHint} isRequired />
      <div>
        <SubmitButton of={form}>{t.openIt}</SubmitButton>
      </div>
    </Form>
  );
}
