import { decimal } from "@manilla/client";
import { useQuery } from "@tanstack/react-query";
import { ArrowLeftRight } from "lucide-react";
import { useState } from "react";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { typedAmount } from "../../lib/money";
import { useOrganisation } from "../../lib/organisation";
import { read } from "../../lib/queries";
import { useUser } from "../../lib/use-session";
import { AmountField } from "../../ui/amount-field";
import { Button } from "../../ui/button";
import { Id } from "../../ui/figures";
import { SelectField, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { Offered } from "../../ui/offered";
import { plain } from "../../ui/options";
import { Section } from "../../ui/panels";
import { useAction } from "../../ui/use-action";
import { agentStales } from "./queries";
import { texts } from "./texts";

type Transfer = RowOf<typeof api.agents.listAgentTransfers>;
type Offer = Parameters<typeof api.agents.offerAgentTransfer>[0];

/** What is prefunded, from one agent to another: the giver's until it is accepted. */
export function Transfers() {
  const t = useTexts(texts);
  const { id } = useUser();
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
      {data.length > 0 && (
        <ul className="mb-3 flex flex-col gap-2">
          {data.map((one) => (
            <li key={one.transferId}>
              <OpenTransfer transfer={one} isMine={one.giverId === id} />
            </li>
          ))}
        </ul>
      )}
      <p className="flex flex-wrap items-center gap-x-2 text-muted">
        {t.ownNumber} <Id value={id} />
      </p>
      {isOffering && <OfferDialog onClose={() => setOffering(false)} />}
    </Section>
  );
}

function OpenTransfer({ transfer, isMine }: { transfer: Transfer; isMine: boolean }) {
  const t = useTexts(texts);
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

function OfferDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const { currencies, baseCurrency } = useOrganisation();
  const form = useActionForm({
    operation: "offerAgentTransfer",
    run: (offer: Offer, options) => api.agents.offerAgentTransfer(offer, options),
    stales: agentStales,
    done: t.transferOffered,
    onDone: onClose,
    defaults: { receiverId: "", currency: baseCurrency, amount: "" },
    toInput: ({ receiverId, currency, amount }): Offer => ({
      receiverId: receiverId.trim(),
      currency: currency as Offer["currency"],
      amount: decimal(typedAmount(amount) ?? ""),
    }),
  });
  return (
    <FormDialog title={t.giveAgent} of={form} submit={t.giveAgent} onClose={onClose}>
      <p className="text-muted">{t.transferHint}</p>
      <TextField form={form.form} name="receiverId" label={t.receiver} hint={t.receiverHint} isRequired />
      <SelectField form={form.form} name="currency" label={t.currency} options={plain(currencies)} />
      <AmountField form={form.form} name="amount" label={t.amount} isRequired />
    </FormDialog>
  );
}
