import { Plus } from "lucide-react";
import { useState } from "react";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { ChoiceList } from "../../ui/choice-list";
import { Empty, Section } from "../../ui/panels";
import { inWords } from "../../ui/words";
import { deliveryTexts } from "../transactions/codes";
import { NewRecipient } from "./new-recipient";
import { addRecipient } from "./queries";
import { texts } from "./texts";
import type { Corridor, Recipient, Sender } from "./types";
import { waysTo } from "./ways";

interface Props {
  sender: Sender;
  recipients: readonly Recipient[];
  corridors: readonly Corridor[];
  onChoose: (recipient: Recipient) => void;
}

/** The sender's saved recipients, those first to whom something can be sent; or a new one. */
export function ChooseRecipient({ sender, recipients, corridors, onChoose }: Props) {
  const t = useTexts(texts);
  const [isMaking, setMaking] = useState(false);
  const reached = recipients.filter((one) => waysTo(one, corridors).length > 0);
  const others = recipients.filter((one) => !reached.includes(one));
  if (corridors.length === 0) {
    return (
      <Section title={t.toWhom}>
        <Empty title={t.noCorridor(sender.country)} />
      </Section>
    );
  }
  if (isMaking || recipients.length === 0) {
    return (
      <NewRecipient
        sender={sender}
        corridors={corridors}
        {...(recipients.length > 0 && { onCancel: () => setMaking(false) })}
        onSaved={(saved) => {
          addRecipient(sender.customerCode, saved);
          onChoose(saved);
        }}
      />
    );
  }
  return (
    <Section title={t.toWhom}>
      <ChoiceList
        label={t.chooseRecipient}
        items={reached}
        itemKey={({ code }) => code}
        textOf={({ name }) => name}
        onChoose={onChoose}
        last={
          <Button icon={Plus} className="mt-1" onClick={() => setMaking(true)}>
            {t.newRecipient}
          </Button>
        }
      >
        {(one) => <RecipientLine recipient={one} />}
      </ChoiceList>
      {others.length > 0 && (
        <ul className="mt-3 flex flex-col gap-1 border-t border-line px-3 pt-3">
          {others.map((one) => (
            <li key={one.code}>
              <RecipientLine recipient={one} note={t.noWay} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

export function RecipientLine({ recipient, note }: { recipient: Recipient; note?: string }) {
  const deliveries: Readonly<Record<string, string>> = useTexts(deliveryTexts);
  const { name, country, currency, deliveryMethods, accountNumber, bankName, mobileOperator, relationship } = recipient;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
      <span className="font-semibold">{name}</span>
      <span className="text-muted">
        {country} · {currency}
      </span>
      <span className="text-muted">{deliveryMethods.map((method) => deliveries[method]).join(", ")}</span>
      <span className="figures text-muted">
        {[bankName ?? mobileOperator, accountNumber].filter(Boolean).join(" ")}
      </span>
      {relationship && <span className="text-muted">{inWords(relationship)}</span>}
      {note && <span className="text-warn">{note}</span>}
    </span>
  );
}
