import { decimal } from "@manilla/client";
import { useQuery } from "@tanstack/react-query";
import { ArrowLeftRight } from "lucide-react";
import { useEffect, useState } from "react";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { typedAmount } from "../../lib/money";
import { read } from "../../lib/queries";
import { useUser } from "../../lib/use-session";
import { AmountField } from "../../ui/amount-field";
import { Button } from "../../ui/button";
import { SelectField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { Offered } from "../../ui/offered";
import { plain } from "../../ui/options";
import { Section } from "../../ui/panels";
import { ReceiverField } from "../../ui/receiver-field";
import { useAction } from "../../ui/use-action";
import { agentStales } from "./queries";
import { texts } from "./texts";

type Transfer = RowOf<typeof api.agents.listAgentTransfers>;
type Offer = Parameters<typeof api.agents.offerAgentTransfer>[0];

/** Whom what is prefunded in a currency can be offered to. */
const receiversQuery = (currency: string) =>
  read("wallets", "listTransferReceivers", { currency }, (options) =>
    api.agents.listTransferReceivers({ currency: currency as Offer["currency"] }, options).toArray({ max: 500 }),
  );

/** What is prefunded, from one agent to another: the giver's until it is accepted. */
export function Transfers({ currencies }: { currencies: readonly string[] }) {
  const t = useTexts(texts);
  const [isOffering, setOffering] = useState(false);
  const { data = [] } = useQuery(
    read("wallets", "listAgentTransfers", { open: "true" }, (options) =>
      api.agents.listAgentTransfers({ open: "true" }, options).toArray({ max: 50 }),
    ),
  );
  return (
    <Section
      title={t.transfers}
      actions={
        <Button icon={ArrowLeftRight} onClick={() => setOffering(true)}>
          {t.giveAgent}
        </Button>
      }
    >
      {data.length === 0 ? (
        <p className="text-muted">{t.noTransfers}</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {data.map((one) => (
            <li key={one.transferId}>
              <OpenTransfer transfer={one} />
            </li>
          ))}
        </ul>
      )}
      {isOffering && <OfferDialog currencies={currencies} onClose={() => setOffering(false)} />}
    </Section>
  );
}

function OpenTransfer({ transfer }: { transfer: Transfer }) {
  const t = useTexts(texts);
  const { id } = useUser();
  const { transferId, amount, currency, giverId, receiverId, offeredAt } = transfer;
  const accept = useAction({
    operation: "acceptAgentTransfer",
    run: (_nothing: void, options) => api.agents.acceptAgentTransfer(transferId, options),
    stales: agentStales,
    done: t.transferAccepted,
  });
  const end = useAction({
    operation: "endAgentTransfer",
    run: (_nothing: void, options) => api.agents.endAgentTransfer(transferId, options),
    stales: agentStales,
    done: t.transferEnded,
  });
  const isMine = giverId === id;
  const other = isMine ? receiverId : giverId;
  const { data: agents } = useQuery(receiversQuery(currency));
  return (
    <Offered
      amount={amount}
      currency={currency}
      at={offeredAt}
      who={other}
      name={agents?.find(({ agentId }) => agentId === other)?.name}
      isMine={isMine}
      accept={accept}
      end={end}
      words={t}
    />
  );
}

function OfferDialog({ currencies, onClose }: { currencies: readonly string[]; onClose: () => void }) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "offerAgentTransfer",
    run: (offer: Offer, options) => api.agents.offerAgentTransfer(offer, options),
    stales: agentStales,
    done: t.transferOffered,
    onDone: onClose,
    defaults: { receiverId: "", currency: currencies[0] ?? "", amount: "" },
    toInput: ({ receiverId, currency, amount }): Offer => ({
      receiverId,
      currency: currency as Offer["currency"],
      amount: decimal(typedAmount(amount) ?? ""),
    }),
  });
  const currency = form.form.watch("currency");
  const { data, isPlaceholderData } = useQuery({ ...receiversQuery(currency), staleTime: 0 });
  // Those of the currency before are not of this one.
  const receivers = isPlaceholderData ? undefined : data;
  useEffect(() => form.form.setValue("receiverId", ""), [currency]);
  return (
    <FormDialog
      title={t.giveAgent}
      of={form}
      submit={t.giveAgent}
      isReady={receivers !== undefined && receivers.length > 0}
      onClose={onClose}
    >
      <p className="text-muted">{t.transferHint}</p>
      <SelectField form={form.form} name="currency" label={t.currency} options={plain(currencies)} />
      <ReceiverField
        form={form.form}
        name="receiverId"
        label={t.receiver}
        people={receivers?.map(({ agentId, name }) => ({ id: agentId, name }))}
        nobody={t.noReceivers(currency)}
      />
      <AmountField form={form.form} name="amount" label={t.amount} isRequired />
    </FormDialog>
  );
}
