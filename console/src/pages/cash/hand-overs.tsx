import { useQuery } from "@tanstack/react-query";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useUser } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { Id, Money, Time } from "../../ui/figures";
import { TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { Offered } from "../../ui/offered";
import { ErrorPanel, Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import { useAction } from "../../ui/use-action";
import { CountFields, countOf, noCount, type CountValues } from "./count-fields";
import { tillTexts } from "./till-texts";
import { cashStales } from "./tills";
import type { Till } from "./types";

type HandOver = RowOf<typeof api.cash.listHandOvers>;
type Offer = Parameters<typeof api.cash.offerCash>[1];

const openHandOvers = () =>
  read("wallets", "listHandOvers", { open: "true" }, (options) =>
    api.cash.listHandOvers({ open: "true" }, options).toArray({ max: 50 }),
  );

/** Cash that is set aside between colleagues: what is offered to one, and what one offers. */
export function HandOvers() {
  const t = useTexts(tillTexts);
  const { id } = useUser();
  const { data = [] } = useQuery(openHandOvers());
  return (
    <Section title={t.handOvers}>
      {data.length > 0 && (
        <ul className="mb-3 flex flex-col gap-2">
          {data.map((one) => (
            <li key={one.handOverId}>
              <OpenHandOver handOver={one} isMine={one.giverId === id} />
            </li>
          ))}
        </ul>
      )}
      <p className="flex flex-wrap items-center gap-x-2 text-muted">
        {t.ownNumber} <Id value={id} />
      </p>
    </Section>
  );
}

/** All that is set aside, which a manager gives back where a till is to be closed. */
export function AllHandOvers() {
  const t = useTexts(tillTexts);
  const { data = [] } = useQuery(openHandOvers());
  if (data.length === 0) return null;
  return (
    <Section title={t.handOvers}>
      <ul className="flex flex-col gap-2">
        {data.map((one) => (
          <li key={one.handOverId} className="flex flex-wrap items-center gap-2">
            <HandOverOfOthers handOver={one} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function HandOverOfOthers({ handOver }: { handOver: HandOver }) {
  const t = useTexts(tillTexts);
  const { handOverId, amount, currency, giverId, receiverId, offeredAt } = handOver;
  const end = useEnding(handOverId);
  return (
    <>
      <p className="min-w-0 flex-1">
        <Money amount={amount} currency={currency} /> · <Person id={giverId} /> {t.isFor} <Person id={receiverId} /> ·{" "}
        <Time at={offeredAt} />
      </p>
      <Button busy={end.isRunning} onClick={() => void end.run()}>
        {t.giveBack}
      </Button>
      <ErrorPanel error={end.error} />
    </>
  );
}

function useEnding(handOverId: string) {
  const t = useTexts(tillTexts);
  return useAction({
    operation: "endHandOver",
    run: (_nothing: void, options) => api.cash.endHandOver(handOverId, options),
    stales: cashStales,
    done: t.handOverEnded,
  });
}

function OpenHandOver({ handOver, isMine }: { handOver: HandOver; isMine: boolean }) {
  const t = useTexts(tillTexts);
  const { handOverId, amount, currency, giverId, receiverId, offeredAt } = handOver;
  const accept = useAction({
    operation: "acceptHandOver",
    run: (_nothing: void, options) => api.cash.acceptHandOver(handOverId, options),
    stales: cashStales,
    done: t.accepted,
  });
  const end = useEnding(handOverId);
  return (
    <Offered
      amount={amount}
      currency={currency}
      at={offeredAt}
      who={isMine ? receiverId : giverId}
      isMine={isMine}
      accept={accept}
      end={end}
      words={t}
    />
  );
}

/** Sets cash of one's till aside for a colleague's. */
export function OfferDialog({ till, onClose }: { till: Till; onClose: () => void }) {
  const t = useTexts(tillTexts);
  const { tillId, currency } = till;
  const form = useActionForm({
    operation: "offerCash",
    run: (offer: Offer, options) => api.cash.offerCash(tillId, offer, options),
    stales: cashStales,
    done: t.offered,
    onDone: onClose,
    defaults: { receiverId: "", ...noCount(currency) },
    toInput: ({ receiverId, ...count }: CountValues & { receiverId: string }): Offer => ({
      receiverId: receiverId.trim(),
      ...countOf(currency, count),
    }),
  });
  return (
    <FormDialog wide title={t.handOverTitle} of={form} submit={t.handOver} onClose={onClose}>
      <p className="text-muted">{t.handOverHint}</p>
      <TextField form={form.form} name="receiverId" label={t.receiver} hint={t.receiverHint} isRequired />
      <CountFields form={form.form} currency={currency} label={t.amount} />
    </FormDialog>
  );
}
