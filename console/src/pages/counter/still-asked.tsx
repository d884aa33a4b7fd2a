import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { Button } from "../../ui/button";
import { inWords } from "../../ui/words";
import { checklistQuery } from "./queries";
import { SeenDocumentDialog } from "./seen-document";
import { texts } from "./texts";
import type { Sender, Transaction } from "./types";

/** What a document that is seen may bring; whether a seen one counts, the policy says. */
const shownByDocument = ["IDENTITY_DOCUMENT", "IDENTITY_DOCUMENT_DETAILS", "ADDRESS_OR_BIRTH"];

/** What a transaction waits for, and what of it can be entered here; it then goes on by itself. */
export function StillAsked({ transaction: { compliance, sender } }: { transaction: Transaction }) {
  const t = useTexts(texts);
  const [isEntering, setEntering] = useState(false);
  const [isSeen, setSeen] = useState(false);
  const asked = compliance.outstandingRequirements;
  if (asked.length === 0) return <p>{t.waitsForReview}</p>;
  const isDocumentAsked = asked.some((one) => shownByDocument.includes(one));
  return (
    <div className="flex flex-col items-start gap-2">
      <p>{t.stillAsked}</p>
      <Asked of={asked.map((requirement) => ({ requirement }))} />
      {isDocumentAsked && isSeen && <p>{t.perhapsPicture}</p>}
      <p className="text-muted">{t.thenGoesOn}</p>
      {isDocumentAsked && (
        <Button variant="primary" onClick={() => setEntering(true)}>
          {t.seeDocument}
        </Button>
      )}
      {isEntering && (
        <SeenDocumentDialog
          customerCode={sender.customerCode}
          onSeen={() => setSeen(true)}
          onClose={() => setEntering(false)}
        />
      )}
    </div>
  );
}

/** What compliance asks of a customer before it confirms them; nothing where it does not say. */
export function ToConfirm({ customer }: { customer: Sender }) {
  const t = useTexts(texts);
  const { baseCurrency } = useOrganisation();
  const checklist = useQuery(checklistQuery(customer, baseCurrency));
  const open = checklist.data?.items.filter(({ origin, status }) => origin === "KYC" && status !== "FULFILLED") ?? [];
  if (open.length === 0) return null;
  return (
    <div>
      <p>{t.toConfirm}</p>
      <Asked of={open} />
    </div>
  );
}

function Asked({ of }: { of: readonly { requirement: string; inReview?: boolean }[] }) {
  const t = useTexts(texts);
  return (
    <ul className="list-disc pl-5 font-medium">
      {of.map(({ requirement, inReview = false }) => (
        <li key={requirement}>
          {inWords(requirement)}
          {inReview && ` (${t.inReview})`}
        </li>
      ))}
    </ul>
  );
}
