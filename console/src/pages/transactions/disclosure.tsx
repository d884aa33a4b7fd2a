import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { api, type AnswerOf } from "../../lib/api";
import { saveFile } from "../../lib/files";
import { languageName, useLanguage, useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useMay } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { KeyValue } from "../../ui/facts";
import { ErrorPanel, Loaded, Section } from "../../ui/panels";
import { useAction } from "../../ui/use-action";
import { wasPaid } from "./codes";
import { texts } from "./texts";
import type { Transaction } from "./types";

type Disclosure = Exclude<AnswerOf<typeof api.disclosures.readTransaction>, Uint8Array>;

/** What the sender was told before the payment, in a language that can be chosen. */
export function DisclosureSection({ transaction }: { transaction: Transaction }) {
  const t = useTexts(texts);
  const own = useLanguage();
  const [language, setLanguage] = useState("");
  const { id, transactionCode } = transaction;
  const query = language === "" ? {} : { language };
  const disclosure = useQuery(
    read(
      "transactions",
      "readTransactionDisclosure",
      { id, language },
      async (options) => (await api.disclosures.readTransaction(id, query, options)) as Disclosure,
    ),
  );
  const print = useAction({
    operation: "readTransactionDisclosure",
    run: async () => {
      const pdf = await api.disclosures.readTransaction(id, { ...query, format: "pdf" });
      return saveFile(pdf, `${t.disclosureFile}-${transactionCode}.pdf`, "application/pdf");
    },
    done: t.disclosureSaved,
  });
  return (
    <Section title={t.disclosure}>
      <ErrorPanel error={print.error} />
      <Loaded query={disclosure}>
        {(found) => (
          <>
            <div className="mb-3 flex flex-wrap items-end gap-3">
              <label className="flex flex-col gap-1">
                <span>{t.inLanguage}</span>
                <select
                  className="control"
                  value={found.language}
                  onChange={(event) => setLanguage(event.target.value)}
                >
                  {found.languages.map((one) => (
                    <option key={one} value={one}>
                      {languageName(one, own)}
                    </option>
                  ))}
                </select>
              </label>
              <Button icon={Download} busy={print.isRunning} onClick={() => void print.run()}>
                {t.disclosurePdf}
              </Button>
              <Receipt transaction={transaction} language={found.language} />
            </div>
            <div lang={found.language} dir="auto">
              <KeyValue
                columns={2}
                facts={found.lines.map(({ label, value, isSum }) => ({
                  label,
                  value: isSum ? <strong>{value}</strong> : value,
                }))}
              />
            </div>
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Receipt({ transaction, language }: { transaction: Transaction; language: string }) {
  const t = useTexts(texts);
  const own = useLanguage();
  const may = useMay();
  const { id, status, transactionCode } = transaction;
  const receipt = useAction({
    operation: "readReceipt",
    run: async () => {
      const pdf = await api.transactions.readReceipt(id, { format: "pdf", language });
      return saveFile(pdf, `${transactionCode}.pdf`, "application/pdf");
    },
    done: t.receiptSaved,
  });
  if (!may("readReceipt") || !wasPaid(status)) return null;
  return (
    <>
      <ErrorPanel error={receipt.error} />
      <Button icon={Download} busy={receipt.isRunning} onClick={() => void receipt.run()}>
        {t.receiptIn(languageName(language, own))}
      </Button>
    </>
  );
}
