import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useUser } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { Money, Time } from "../../ui/figures";
import { useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { Offered } from "../../ui/offered";
import { ErrorPanel, Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import { ReceiverField } from "../../ui/receiver-field";
import { useAction } from "../../ui/use-action";
import { inWords } from "../../ui/words";
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

/** Whom cash of a till can be offered to. */
const colleaguesQuery = (tillId: string) =>
  read("wallets", "listTillColleagues", { tillId }, (options) =>
    api.cash.listTillColleagues(tillId, {}, options).toArray({ max: 500 }),
  );

/** Cash that is set aside between colleagues: what is offered to one, and what one offers. */
export function HandOvers({ tills }: { tills: readonly Till[] }) {
  return (
    <OpenHandOvers>
      {(one) => <OpenHandOver handOver={one} own={tills.find(({ currency }) => currency === one.currency)} />}
    </OpenHandOvers>
  );
}

/** All that is set aside, which a manager gives back where a till is to be closed. */
export function AllHandOvers() {
  return (
    <OpenHandOvers>
      {(one) => (
        <div className="flex flex-wrap items-center gap-2">
          <HandOverOfOthers handOver={one} />
        </div>
      )}
    </OpenHandOvers>
  );
}

function OpenHandOvers({ children }: { children: (handOver: HandOver) => ReactNode }) {
  const t = useTexts(tillTexts);
  const { data = [] } = useQuery(openHandOvers());
  if (data.length === 0) return null;
  return (
    <Section title={t.handOvers}>
      <ul className="flex flex-col gap-2">
        {data.map((one) => (
          <li key={one.handOverId}>{children(one)}</li>
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

function OpenHandOver({ handOver, own }: { handOver: HandOver; own: Till | undefined }) {
  const t = useTexts(tillTexts);
  const { id } = useUser();
  const { handOverId, amount, currency, giverId, receiverId, offeredAt } = handOver;
  const accept = useAction({
    operation: "acceptHandOver",
    run: (_nothing: void, options) => api.cash.acceptHandOver(handOverId, options),
    stales: cashStales,
    done: t.accepted,
  });
  const end = useEnding(handOverId);
  const isMine = giverId === id;
  const other = isMine ? receiverId : giverId;
  const colleagues = useQuery({ ...colleaguesQuery(own?.tillId ?? ""), enabled: own !== undefined });
  return (
    <Offered
      amount={amount}
      currency={currency}
      at={offeredAt}
      who={other}
      name={colleagues.data?.find(({ userId }) => userId === other)?.name}
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
  // Whoever has opened theirs a moment ago is in it.
  const { data: colleagues } = useQuery({ ...colleaguesQuery(tillId), staleTime: 0 });
  const form = useActionForm({
    operation: "offerCash",
    run: (offer: Offer, options) => api.cash.offerCash(tillId, offer, options),
    stales: cashStales,
    done: t.offered,
    onDone: onClose,
    defaults: { receiverId: "", ...noCount(currency) },
    toInput: ({ receiverId, ...count }: CountValues & { receiverId: string }): Offer => ({
      receiverId,
      ...countOf(currency, count),
    }),
  });
  return (
    <FormDialog
      wide
      title={t.handOverTitle}
      of={form}
      submit={t.handOver}
      isReady={colleagues !== undefined && colleagues.length > 0}
      onClose={onClose}
    >
      <p className="text-muted">{t.handOverHint}</p>
      <ReceiverField
        form={form.form}
        name="receiverId"
        label={t.receiver}
        people={colleagues?.map(({ userId, name, role }) => ({ id: userId, name, role: inWords(role) }))}
        nobody={t.noColleagues(currency)}
      />
      <CountFields form={form.form} currency={currency} label={t.amount} />
    </FormDialog>
  );
}
