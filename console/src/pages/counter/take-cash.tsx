import { ApiError } from "@manilla/client";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { difference } from "../../lib/exact";
import { useTexts } from "../../lib/language";
import { typedAmount } from "../../lib/money";
import { AmountField } from "../../ui/amount-field";
import { Button } from "../../ui/button";
import { Money } from "../../ui/figures";
import { Form, SubmitButton, useActionForm } from "../../ui/form";
import { Loaded, Section, Skeleton } from "../../ui/panels";
import { OpenDialog } from "../cash/till-dialogs";
import { cashStales, openTillsQuery } from "../cash/tills";
import type { Till } from "../cash/types";
import { forgetSale, keepSale, keptSale, type KeptSale } from "./kept-sales";
import { useOwnNotes } from "./own-notes";
import { keepAnswer, sendSale } from "./queries";
import { texts } from "./texts";
import type { Transaction } from "./types";
import { WhatToDo } from "./what-to-do";

/** The notes that the customer gives, and the change. */
export function TakeCash({ transaction }: { transaction: Transaction }) {
  const t = useTexts(texts);
  const hasOwnNotes = useOwnNotes();
  const tills = useQuery(openTillsQuery());
  const { sendCurrency } = transaction;
  if (hasOwnNotes === undefined) return <Skeleton lines={2} />;
  if (hasOwnNotes) {
    return (
      <Section title={t.pay}>
        <SaleForm transaction={transaction} />
      </Section>
    );
  }
  return (
    <Section title={t.pay}>
      <Loaded query={tills} lines={2}>
        {(open) => {
          const till = open.find(({ currency, status }) => currency === sendCurrency && status === "OPEN");
          return till ? <SaleForm transaction={transaction} till={till} /> : <NoTill of={sendCurrency} />;
        }}
      </Loaded>
    </Section>
  );
}

function NoTill({ of }: { of: string }) {
  const t = useTexts(texts);
  const [isOpening, setOpening] = useState(false);
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p>
        <span className="font-medium text-warn">{t.noTill(of)}</span> {t.noTillHint}
      </p>
      <Button variant="primary" onClick={() => setOpening(true)}>
        {t.openTill}
      </Button>
      {isOpening && <OpenDialog currency={of} onClose={() => setOpening(false)} />}
    </div>
  );
}

interface SaleProps {
  transaction: Transaction;
  /** Absent where the notes are the agent's own, whose account pays. */
  till?: Till;
}

function SaleForm({ transaction: { id, totalAmount, sendCurrency }, till }: SaleProps) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "sellTransaction",
    run: async (sale: KeptSale, options) => {
      keepSale(id, sale);
      try {
        return await sendSale(id, sale, options);
      } catch (error) {
        if (isRefused(error)) forgetSale(id);
        throw error;
      }
    },
    stales: ["transactions", ...cashStales],
    onDone: (sale) => keepAnswer(id, sale),
    defaults: { received: "" },
    keep: true,
    toInput: ({ received }: { received: string }): KeptSale => {
      const wanted = { ...(till && { tillId: till.tillId }), received: typedAmount(received) ?? "" };
      const before = keptSale(id);
      // Of which no answer came: sent again it is the same one.
      const isSame = before !== undefined && before.tillId === wanted.tillId && before.received === wanted.received;
      return { ...wanted, key: isSame ? before.key : crypto.randomUUID() };
    },
  });
  useEffect(() => form.form.setFocus("received"), []);
  const typed = typedAmount(form.form.watch("received"));
  const over = typed === undefined ? undefined : difference(typed, totalAmount);
  const isShort = over?.startsWith("-") ?? false;
  return (
    <Form of={form}>
      <WhatToDo error={form.error} />
      <div className="grid grid-cols-1 items-end gap-4 sm:grid-cols-3">
        <div>
          <p className="text-xs text-muted">{t.pays}</p>
          <p className="text-xl font-semibold">
            <Money amount={totalAmount} currency={sendCurrency} />
          </p>
        </div>
        <AmountField form={form.form} name="received" label={t.received} isRequired />
        <div role="status">
          <p className="text-xs text-muted">{isShort ? t.missing : t.change_}</p>
          <p className={`text-xl font-semibold ${isShort ? "text-bad" : ""}`}>
            <Money amount={over?.replace("-", "")} currency={sendCurrency} />
          </p>
        </div>
      </div>
      <div>
        <SubmitButton of={form}>{t.sell}</SubmitButton>
      </div>
    </Form>
  );
}

/** It surely took nothing: what is sent next is another one. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status >= 500 || error.code === "IDEMPOTENCY_IN_FLIGHT") return false;
  return ![401, 408, 429].includes(error.status);
}
