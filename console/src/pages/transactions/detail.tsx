import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Download, Flag, SquarePen, Undo2, XCircle } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { saveFile } from "../../lib/files";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useMay } from "../../lib/use-session";
import { StatusBadge, toneOf } from "../../ui/badge";
import { Button } from "../../ui/button";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { KeyValue, Timeline } from "../../ui/facts";
import { Figure, Id, Money, Time } from "../../ui/figures";
import { Columns, Page, Stack } from "../../ui/page";
import { ErrorPanel, Loaded, Section } from "../../ui/panels";
import { PayeeVerdict } from "../../ui/payee-verdict";
import { Person } from "../../ui/person";
import { useAction } from "../../ui/use-action";
import { inWords } from "../../ui/words";
import { WhyHeld } from "../compliance/why";
import { amendmentTexts } from "./amendment-texts";
import { AmendmentDialog, AmendmentsSection, mayBeAmended, mayBeTraced } from "./amendments";
import { deliveryTexts, mayBeCancelled, mayBeRefunded, wasPaid } from "./codes";
import { DisclosureSection } from "./disclosure";
import { LedgerEntries } from "./ledger-entries";
import { PartnerTold } from "./partner-told";
import { PayoutOutcomeDialog } from "./payout-outcome-dialog";
import { RefundDialog } from "./refund-dialog";
import { Refunds } from "./refunds";
import { texts } from "./texts";
import type { Transaction } from "./types";

export default function TransactionPage() {
  const t = useTexts(texts);
  const { transactionId } = useParams({ strict: false }) as { transactionId: string };
  const transaction = useQuery(
    read("transactions", "readTransaction", { transactionId }, (options) =>
      api.transactions.read(transactionId, options),
    ),
  );
  const { data } = transaction;
  return (
    <Page
      title={data ? t.transaction(data.transactionCode) : t.title}
      badge={data && <StatusBadge status={data.status} />}
      back={{ to: "/transactions", label: t.title }}
      actions={data && <Actions transaction={data} />}
    >
      <Loaded query={transaction} lines={10}>
        {(found) => <Content transaction={found} />}
      </Loaded>
    </Page>
  );
}

function Actions({ transaction }: { transaction: Transaction }) {
  const t = useTexts(texts);
  const amends = useTexts(amendmentTexts);
  const may = useMay();
  const [open, setOpen] = useState<"cancel" | "refund" | "outcome" | "amend" | "trace">();
  const { id, status } = transaction;
  const cancel = useAction({
    operation: "updateTransactionStatus",
    run: (reason: string, options) => api.transactions.updateStatus(id, { status: "CANCELLED", reason }, options),
    stales: ["transactions"],
    done: t.cancelled,
  });
  const receipt = useAction({
    operation: "readReceipt",
    run: async () =>
      saveFile(
        await api.transactions.readReceipt(id, { format: "pdf" }),
        `${transaction.transactionCode}.pdf`,
        "application/pdf",
      ),
    done: t.receiptSaved,
  });
  return (
    <>
      <ErrorPanel error={receipt.error} />
      {may("readReceipt") && wasPaid(status) && (
        <Button icon={Download} busy={receipt.isRunning} onClick={() => void receipt.run()}>
          {t.receipt}
        </Button>
      )}
      {may("requestRefund") && mayBeRefunded(status) && (
        <Button icon={Undo2} onClick={() => setOpen("refund")}>
          {t.refund}
        </Button>
      )}
      {may("askPayoutOutcome") && transaction.payoutUnclear && !transaction.payoutUnclear.asked && (
        <Button icon={Flag} onClick={() => setOpen("outcome")}>
          {t.endPayout}
        </Button>
      )}
      {may("amendTransaction") && mayBeAmended(status) && (
        <Button icon={SquarePen} onClick={() => setOpen("amend")}>
          {amends.amend}
        </Button>
      )}
      {may("traceTransaction") && mayBeTraced(status) && (
        <Button icon={SquarePen} onClick={() => setOpen("trace")}>
          {amends.trace}
        </Button>
      )}
      {may("updateTransactionStatus") && mayBeCancelled(status) && (
        <Button icon={XCircle} variant="danger" onClick={() => setOpen("cancel")}>
          {t.cancel}
        </Button>
      )}
      {open === "refund" && <RefundDialog transaction={transaction} onClose={() => setOpen(undefined)} />}
      {open === "amend" && <AmendmentDialog transaction={transaction} onClose={() => setOpen(undefined)} />}
      {open === "trace" && <AmendmentDialog transaction={transaction} isTrace onClose={() => setOpen(undefined)} />}
      {open === "outcome" && <PayoutOutcomeDialog transaction={transaction} onClose={() => setOpen(undefined)} />}
      {open === "cancel" && (
        <ConfirmDialog
          title={t.cancelTitle}
          confirm={t.cancelTitle}
          danger
          action={cancel}
          onClose={() => setOpen(undefined)}
        >
          {t.cancelHint}
        </ConfirmDialog>
      )}
    </>
  );
}

function Unclear({ of: { said, asked } }: { of: NonNullable<Transaction["payoutUnclear"]> }) {
  const t = useTexts(texts);
  return (
    <Section title={t.unclearTitle}>
      <p>{t.unclearSaid(said)}</p>
      {asked && <p className="mt-2">{t.unclearAsked(inWords(asked.outcome))}</p>}
    </Section>
  );
}

function Content({ transaction }: { transaction: Transaction }) {
  const t = useTexts(texts);
  const may = useMay();
  return (
    <Stack>
      <Columns>
        <Stack>
          {transaction.payoutUnclear && <Unclear of={transaction.payoutUnclear} />}
          <Amounts transaction={transaction} />
          <Parties transaction={transaction} />
          {may("readTransactionDisclosure") && <DisclosureSection transaction={transaction} />}
          {may("listAmendments") && <AmendmentsSection transactionId={transaction.id} />}
          <Section title={t.refunds} flush>
            <Refunds refunds={transaction.refunds ?? []} />
          </Section>
        </Stack>
        <Stack>
          <Section title={t.timeline}>
            <Timeline
              entries={transaction.timeline.map(({ status, at, actor, reason }, index, all) => ({
                key: `${status} ${at}`,
                title: inWords(status),
                at: <Time at={at} seconds />,
                detail: (
                  <>
                    <Person id={actor} />
                    {reason && <> · {reason}</>}
                  </>
                ),
                isLatest: index === all.length - 1,
              }))}
            />
          </Section>
          {transaction.payeeCheck && (
            <Section title={t.payeeCheck}>
              <PayeeVerdict of={transaction.payeeCheck} />
            </Section>
          )}
          <WhyHeld transactionId={transaction.id} />
          <Section title={t.compliance}>
            <KeyValue
              columns={1}
              facts={[
                {
                  label: t.decision,
                  value: (
                    <StatusBadge
                      status={transaction.compliance.decision}
                      tone={toneOf(transaction.compliance.decision)}
                    />
                  ),
                },
                {
                  label: t.outstanding,
                  value: transaction.compliance.outstandingRequirements.map(inWords).join(", ") || t.nothingRequired,
                },
              ]}
            />
          </Section>
        </Stack>
      </Columns>
      {may("readTransactionTransparency") && <PartnerTold transactionId={transaction.id} />}
      {may("listTransactionEntries") && <LedgerEntries transactionId={transaction.id} />}
    </Stack>
  );
}

function Amounts({ transaction }: { transaction: Transaction }) {
  const t = useTexts(texts);
  const { sendCurrency, receivingCurrency } = transaction;
  return (
    <Section title={t.amounts}>
      <KeyValue
        columns={3}
        facts={[
          { label: t.sendAmount, value: <Money amount={transaction.sendAmount} currency={sendCurrency} /> },
          { label: t.fees, value: <Money amount={transaction.totalFees} currency={sendCurrency} /> },
          { label: t.taxes, value: <Money amount={transaction.totalTaxes} currency={sendCurrency} /> },
          {
            label: t.total,
            value: (
              <strong>
                <Money amount={transaction.totalAmount} currency={sendCurrency} />
              </strong>
            ),
          },
          { label: t.rate, value: <Figure value={transaction.exchangeRate} /> },
          {
            label: t.received,
            value: (
              <strong>
                <Money amount={transaction.amount} currency={receivingCurrency} />
              </strong>
            ),
          },
          { label: t.refunded, value: <Money amount={transaction.refundedAmount} currency={sendCurrency} /> },
          { label: t.feesAre, value: transaction.inclusive ? t.inclusive : t.exclusive },
        ]}
      />
    </Section>
  );
}

function Parties({ transaction }: { transaction: Transaction }) {
  const t = useTexts(texts);
  const deliveries = useTexts(deliveryTexts);
  const { sender, recipient, internationalTransferInformation: about } = transaction;
  return (
    <Section title={t.parties}>
      <KeyValue
        columns={2}
        facts={[
          { label: t.sender, value: `${sender.name} · ${sender.customerCode} · ${sender.country}` },
          { label: t.recipient, value: `${recipient.name} · ${recipient.customerCode} · ${recipient.country}` },
          { label: t.type, value: deliveries[transaction.type as keyof typeof deliveries] ?? transaction.type },
          {
            label: t.deliveredTo,
            value: transaction.creditParty.map(({ key, value }) => `${key} ${value}`).join(", "),
          },
          { label: t.purpose, value: inWords(about.remittancePurpose) },
          { label: t.source, value: inWords(about.sourceOfFunds) },
          { label: t.description, value: transaction.descriptionText },
          { label: t.created, value: <Time at={transaction.createdAt} /> },
          { label: t.availableOn, value: transaction.availableOn },
          { label: t.expires, value: <Time at={transaction.expiresAt} /> },
          { label: t.id, value: <Id value={transaction.id} /> },
          { label: t.interaction, value: <Id value={transaction.interactionId} /> },
        ]}
      />
    </Section>
  );
}
