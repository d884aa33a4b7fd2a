import { useQuery } from "@tanstack/react-query";
import { Printer } from "lucide-react";
import { useState } from "react";
import { languageName, useLanguage, useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { Money } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Loaded, Section } from "../../ui/panels";
import { useFocus } from "../../ui/use-focus";
import { Paper, PaperChoice, PaperLine, printMarked } from "./paper";
import { disclosureQuery, receiptQuery, saleQuery } from "./queries";
import { texts } from "./texts";
import type { Disclosure, Sale, Transaction } from "./types";

type Printed = "receipt" | "disclosure";

/** What was sold: the change first, then the papers that the sender takes along. */
export function Sold({ transaction, onNext }: { transaction: Transaction; onNext: () => void }) {
  const t = useTexts(texts);
  const { id, transactionCode } = transaction;
  const [printed, setPrinted] = useState<Printed>("receipt");
  const [language, setLanguage] = useState("");
  const { data: sale } = useQuery(saleQuery(id));
  const receipt = useQuery(receiptQuery(id, language));
  const disclosure = useQuery(disclosureQuery(id, language));
  const print = (what: Printed) => printMarked(() => setPrinted(what));
  const next = useFocus<HTMLDivElement>("button");
  return (
    <Section
      title={t.soldOf(transactionCode)}
      actions={
        <Link to={`/transactions/${id}`} className="link">
          {t.showTransaction}
        </Link>
      }
    >
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div role="status">{sale ? <Change of={sale} /> : <p>{t.soldBefore}</p>}</div>
        <div ref={next}>
          <Button variant="primary" onClick={onNext}>
            {t.nextCustomer}
          </Button>
        </div>
      </div>
      <div className="mt-4 flex flex-wrap items-center gap-2 border-t border-line pt-3">
        <Button icon={Printer} disabled={!receipt.data} onClick={() => print("receipt")}>
          {t.printReceipt}
        </Button>
        <Button icon={Printer} disabled={!disclosure.data} onClick={() => print("disclosure")}>
          {t.printDisclosure}
        </Button>
        <PaperChoice />
        <LanguageChoice of={receipt.data} onChoose={setLanguage} />
      </div>
      <div className="mt-4 flex flex-wrap gap-4">
        <Loaded query={receipt}>
          {(found) => (
            <Paper label={t.paperReceipt} of={found} isPrinted={printed === "receipt"}>
              {sale && <Notes of={sale} on={found} />}
            </Paper>
          )}
        </Loaded>
        <Loaded query={disclosure}>
          {(found) => <Paper label={t.paperDisclosure} of={found} isPrinted={printed === "disclosure"} />}
        </Loaded>
      </div>
    </Section>
  );
}

function Change({ of: { change, received, currency } }: { of: Sale }) {
  const t = useTexts(texts);
  return (
    <>
      <p className="text-muted">{t.giveChange}</p>
      <p className="text-2xl font-semibold">
        <Money amount={change} currency={currency} />
      </p>
      <p className="text-muted">
        {t.received} <Money amount={received} currency={currency} />
      </p>
    </>
  );
}

/** In the language of the paper, whatever that of the desk is. */
function Notes({ of: { received, change, currency }, on }: { of: Sale; on: Disclosure }) {
  const amount = (text: string) => `${numberIn(on.language, text)} ${currency}`;
  return (
    <>
      <PaperLine label={on.cashReceived}>{amount(received)}</PaperLine>
      <PaperLine label={on.cashChange}>{amount(change)}</PaperLine>
    </>
  );
}

/** Exact: decimal text passes through no double. */
function numberIn(language: string, text: string): string {
  const digits = text.split(".")[1]?.length ?? 0;
  const format = new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return format.format(text as Intl.StringNumericLiteral);
}

function LanguageChoice({ of, onChoose }: { of: Disclosure | undefined; onChoose: (language: string) => void }) {
  const t = useTexts(texts);
  const own = useLanguage();
  if (of === undefined || of.languages.length < 2) return null;
  return (
    <label className="flex items-center gap-2">
      <span className="text-muted">{t.paperLanguage}</span>
      <select className="control w-auto" value={of.language} onChange={(event) => onChoose(event.target.value)}>
        {of.languages.map((one) => (
          <option key={one} value={one}>
            {languageName(one, own)}
          </option>
        ))}
      </select>
    </label>
  );
}
