import { ApiError } from "@manilla/client";
import { useEffect, useState, type ReactNode } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { StatusBadge } from "../../ui/badge";
import { ChoiceList } from "../../ui/choice-list";
import { Day } from "../../ui/figures";
import { Form, SubmitButton, TextField, useActionForm } from "../../ui/form";
import { inWords } from "../../ui/words";
import { isCertain, soughtOf, withoutPhone } from "./sought";
import { texts } from "./texts";
import type { Sender, Sought } from "./types";

interface FoundCustomers {
  customers: readonly Sender[];
  cut: boolean;
}

/** What looks like a phone number, and is none, is looked for as all else that it may be. */
async function find(sought: Sought): Promise<FoundCustomers> {
  try {
    return await api.people.findCustomers(sought);
  } catch (error) {
    const rest = withoutPhone(sought);
    const isNoPhone = error instanceof ApiError && error.errors.some(({ path }) => path === "body.phone");
    if (!isNoPhone || Object.keys(rest).length === 0) throw error;
    return api.people.findCustomers(rest);
  }
}

interface Props {
  onChoose: (customer: Sender) => void;
  /** Beside the button that finds, once it was looked for somebody. */
  otherwise?: ReactNode;
}

/** One field for all that somebody says of themselves, and those who it may be. */
export function FindCustomer({ onChoose, otherwise }: Props) {
  const t = useTexts(texts);
  const [{ found, round }, setFound] = useState<{ found?: FoundCustomers; round: number }>({ round: 0 });
  const form = useActionForm({
    operation: "findCustomers",
    run: find,
    onDone: (answer) => {
      const [only, ...others] = answer.customers;
      if (only && others.length === 0 && isCertain(only.foundBy)) onChoose(only);
      else setFound((before) => ({ found: answer, round: before.round + 1 }));
    },
    defaults: { text: "" },
    toInput: ({ text }: { text: string }) => soughtOf(text),
    paths: {
      "body.name": "text",
      "body.phone": "text",
      "body.document.number": "text",
      "body.customerCode": "text",
      "body.dateOfBirth": "text",
    },
    keep: true,
  });
  useEffect(() => form.form.setFocus("text"), []);
  return (
    <div>
      <Form of={form}>
        <TextField form={form.form} name="text" label={t.sought} hint={t.soughtHint} isRequired />
        <div className="flex flex-wrap gap-2">
          <SubmitButton of={form}>{t.find}</SubmitButton>
          {found && otherwise}
        </div>
      </Form>
      {found?.customers.length === 0 && (
        <p role="status" className="mt-3">
          {t.nobody} <span className="text-muted">{t.nobodyHint}</span>
        </p>
      )}
      {found && found.customers.length > 0 && (
        <div className="mt-4 flex flex-col gap-2">
          <ChoiceList
            key={round}
            label={t.chooseSender}
            items={found.customers}
            itemKey={({ customerId }) => customerId}
            textOf={({ firstName, lastName }) => `${firstName} ${lastName}`}
            onChoose={onChoose}
          >
            {(one) => <SenderLine sender={one} />}
          </ChoiceList>
          {found.cut && <p className="text-warn">{t.manyMore}</p>}
        </div>
      )}
    </div>
  );
}

/** By what somebody is told from others of their name. */
export function SenderLine({ sender }: { sender: Sender }) {
  const t = useTexts(texts);
  const { firstName, lastName, customerCode, dateOfBirth, country, status, phoneNumber, identityDocuments } = sender;
  const document = identityDocuments?.[0];
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
      <span className="font-semibold">
        {firstName} {lastName}
      </span>
      <StatusBadge status={status} tone={status === "CONFIRMED" ? "good" : "bad"} />
      <span className="font-mono text-xs">{customerCode}</span>
      {dateOfBirth && (
        <span className="text-muted">
          {t.born} <Day at={dateOfBirth} />
        </span>
      )}
      <span className="text-muted">{country}</span>
      {phoneNumber && <span className="figures text-muted">{phoneNumber}</span>}
      {document && (
        <span className="figures text-muted">
          {inWords(document.type)} {document.number}
        </span>
      )}
    </span>
  );
}
