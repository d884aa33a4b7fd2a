import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useTexts } from "../../lib/language";
import { useUrlState } from "../../lib/url-state";
import { Button } from "../../ui/button";
import { Empty, Loaded } from "../../ui/panels";
import { Agree } from "./agree";
import { ChooseRecipient, RecipientLine } from "./choose-recipient";
import { SenderLine } from "./find-customer";
import { FindSender } from "./find-sender";
import { PriceStep } from "./price-step";
import { corridorsQuery, keepSender, recipientsQuery, senderQuery } from "./queries";
import { Register } from "./register";
import { SeenDocumentDialog } from "./seen-document";
import { ToConfirm } from "./still-asked";
import { texts } from "./texts";
import type { Corridor, Quote, Recipient, Sender, Transaction } from "./types";
import { openFrom, waysTo } from "./ways";

interface Props {
  onCreated: (transaction: Pick<Transaction, "id">) => void;
}

/** Who sends, to whom, how much: until the customer agrees to the price. */
export function Order({ onCreated }: Props) {
  const { values, set } = useUrlState();
  const { customer, register } = values;
  if (customer === undefined && register !== undefined) {
    return (
      <Register
        onRegistered={(customerCode) => set({ register: undefined, customer: customerCode })}
        onCancel={() => set({ register: undefined })}
      />
    );
  }
  if (customer === undefined) {
    return (
      <FindSender
        onRegister={() => set({ register: "new" })}
        onChoose={(sender) => {
          keepSender(sender);
          set({ customer: sender.customerCode });
        }}
      />
    );
  }
  return <OfSender customerCode={customer} onCreated={onCreated} />;
}

function OfSender({ customerCode, onCreated }: Props & { customerCode: string }) {
  const t = useTexts(texts);
  const { set } = useUrlState();
  const sender = useQuery(senderQuery(customerCode));
  const corridors = useQuery(corridorsQuery());
  return (
    <Loaded query={sender}>
      {(found) =>
        found === null ? (
          <div className="card">
            <Empty title={t.nobody} />
          </div>
        ) : (
          <>
            <Chosen
              label={t.sender}
              onChange={() => set({ customer: undefined, recipient: undefined, quote: undefined })}
            >
              <SenderLine sender={found} />
            </Chosen>
            {found.status !== "CONFIRMED" && <NotConfirmed sender={found} onLook={() => void sender.refetch()} />}
            <Loaded query={corridors}>
              {(all) => <ToRecipient sender={found} corridors={openFrom(all, found.country)} onCreated={onCreated} />}
            </Loaded>
          </>
        )
      }
    </Loaded>
  );
}

/** What can be done at the counter for whoever may not be sold to yet. */
function NotConfirmed({ sender, onLook }: { sender: Sender; onLook: () => void }) {
  const t = useTexts(texts);
  const { status, customerCode } = sender;
  const [isEntering, setEntering] = useState(false);
  return (
    <div role="alert" className="card flex flex-wrap items-center gap-2 px-4 py-2">
      <div className="min-w-0 flex-1 text-warn">
        <p>{status === "BLOCKED" ? t.isBlocked : t.notConfirmed}</p>
        {status === "PENDING" && <ToConfirm customer={sender} />}
      </div>
      {status === "PENDING" && (
        <>
          <Button onClick={() => setEntering(true)}>{t.seeDocument}</Button>
          <Button onClick={onLook}>{t.lookAgain}</Button>
        </>
      )}
      {isEntering && (
        <SeenDocumentDialog customerCode={customerCode} onSeen={onLook} onClose={() => setEntering(false)} />
      )}
    </div>
  );
}

function ToRecipient({ sender, corridors, onCreated }: Props & { sender: Sender; corridors: readonly Corridor[] }) {
  const t = useTexts(texts);
  const { values, set } = useUrlState();
  const recipients = useQuery(recipientsQuery(sender.customerCode));
  return (
    <Loaded query={recipients}>
      {(all) => {
        const chosen = all.find(({ code }) => code === values["recipient"]);
        if (chosen === undefined) {
          return (
            <ChooseRecipient
              sender={sender}
              recipients={all}
              corridors={corridors}
              onChoose={({ code }) => set({ recipient: code })}
            />
          );
        }
        return (
          <>
            <Chosen label={t.recipient} onChange={() => set({ recipient: undefined, quote: undefined })}>
              <RecipientLine recipient={chosen} />
            </Chosen>
            <Priced sender={sender} recipient={chosen} corridors={corridors} onCreated={onCreated} />
          </>
        );
      }}
    </Loaded>
  );
}

interface PricedProps extends Props {
  sender: Sender;
  recipient: Recipient;
  corridors: readonly Corridor[];
}

function Priced({ sender, recipient, corridors, onCreated }: PricedProps) {
  const { values, set } = useUrlState();
  const { quote } = values;
  if (quote !== undefined) {
    return (
      <Agree
        key={quote}
        quoteId={quote}
        sender={sender}
        recipient={recipient}
        onAnew={() => set({ quote: undefined })}
        onCreated={onCreated}
      />
    );
  }
  const ways = waysTo(recipient, corridors);
  return <PriceStep sender={sender} ways={ways} onPriced={({ id }: Pick<Quote, "id">) => set({ quote: id })} />;
}

/** What is decided already, in a line, and the way to decide it otherwise. */
function Chosen({ label, onChange, children }: { label: string; onChange: () => void; children: ReactNode }) {
  const t = useTexts(texts);
  return (
    <div className="card flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
      <span className="w-24 text-xs text-muted">{label}</span>
      <div className="min-w-0 flex-1">{children}</div>
      <Button onClick={onChange}>{t.change}</Button>
    </div>
  );
}
