import { decimal } from "@manilla/client";
import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { saveFile } from "../../lib/files";
import { useTexts } from "../../lib/language";
import { organisationQuery } from "../../lib/organisation";
import { read } from "../../lib/queries";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { KeyValue } from "../../ui/facts";
import { Money, Time } from "../../ui/figures";
import { Form, SubmitButton, TextField, useActionForm } from "../../ui/form";
import { Link } from "../../ui/link";
import { ErrorPanel, Loaded, Section } from "../../ui/panels";
import { useAction } from "../../ui/use-action";
import { filled } from "./cash-dialogs";
import { texts } from "./texts";
import type { Created } from "./types";

/** What was made, and its payment from the sender's wallet; cash goes into the wallet first. */
export function PayStep({ created }: { created: Created }) {
  const t = useTexts(texts);
  const { id, transactionCode } = created;
  const transaction = useQuery(
    read("transactions", "readTransaction", { transactionId: id }, (options) => api.transactions.read(id, options)),
  );
  const { status } = transaction.data ?? created;
  const waits = status === "AWAITING_PAYMENT";
  const mayPay = useQuery(organisationQuery()).data?.cashierWalletPayments ?? false;
  const receipt = useAction({
    operation: "readReceipt",
    run: async () =>
      saveFile(await api.transactions.readReceipt(id, { format: "pdf" }), `${transactionCode}.pdf`, "application/pdf"),
    done: t.receiptSaved,
  });
  const isPaid = !waits && !/^(AWAITING_COMPLIANCE|BLOCKED|REJECTED|EXPIRED|CANCELLED)$/.test(status);
  return (
    <>
      <Section
        title={t.transaction(transactionCode)}
        actions={
          isPaid && (
            <Button icon={Download} busy={receipt.isRunning} onClick={() => void receipt.run()}>
              {t.receipt}
            </Button>
          )
        }
      >
        <ErrorPanel error={receipt.error} />
        <KeyValue
          columns={3}
          facts={[
            { label: t.status, value: <StatusBadge status={status} /> },
            { label: t.total, value: <Money amount={created.totalAmount} currency={created.sendCurrency} /> },
            { label: t.gets, value: <Money amount={created.amount} currency={created.receivingCurrency} /> },
            { label: t.recipient, value: created.recipient.name },
            {
              label: t.details,
              value: (
                <Link to={`/transactions/${id}`} className="link">
                  {t.showTransaction}
                </Link>
              ),
            },
          ]}
        />
        {status === "AWAITING_COMPLIANCE" && <p className="mt-3 text-warn">{t.waitsForReview}</p>}
      </Section>
      {waits && (mayPay ? <Pay created={created} /> : <SenderPays created={created} />)}
    </>
  );
}

/** Where the organisation lets no cashier pay from a customer's wallet. */
function SenderPays({ created }: { created: Created }) {
  const t = useTexts(texts);
  return (
    <Section title={t.payment}>
      <p>
        {t.senderPays} <Time at={created.expiresAt} />
      </p>
    </Section>
  );
}

function Pay({ created }: { created: Created }) {
  const t = useTexts(texts);
  const methods = useQuery(
    read("wallets", "listPaymentMethods", { transactionId: created.id }, (options) =>
      api.transactions.listPaymentMethods(created.id, options),
    ),
  );
  return (
    <Section title={t.payment}>
      <Loaded query={methods} lines={2}>
        {(found) => {
          const wallet = found.find(({ metadata }) => metadata.accountId !== undefined)?.metadata;
          if (wallet?.accountId === undefined) return <p>{t.noWallet(created.sendCurrency)}</p>;
          return (
            <>
              {!wallet.sufficient && <p className="mb-3 text-warn">{t.notEnough}</p>}
              <PayForm created={created} accountId={wallet.accountId} />
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

interface Proof {
  password: string;
  otp: string;
  pin: string;
}

function PayForm({ created, accountId }: { created: Created; accountId: string }) {
  const t = useTexts(texts);
  // The same at each try, as its key is: another one would be another payment.
  const [reference] = useState(() => `desk-${crypto.randomUUID()}`);
  const form = useActionForm({
    operation: "payFromWallet",
    run: (proof: Proof, options) =>
      api.payments.payFromWallet(
        {
          payableType: "TRANSACTION",
          payableId: created.id,
          accountId,
          totalCheckOutAmount: decimal(created.totalAmount),
          paymentGatewayRef: reference,
          ...filled({ ...proof }),
        },
        { ...options, interactionId: created.interactionId },
      ),
    stales: ["transactions", "wallets", "ledger", "home"],
    done: t.paid,
    defaults: { password: "", otp: "", pin: "" },
    toInput: (proof: Proof) => proof,
  });
  return (
    <Form of={form}>
      <p className="text-muted">{t.payHint}</p>
      <div className="grid grid-cols-1 gap-3.5 sm:grid-cols-3">
        <TextField form={form.form} name="password" type="password" label={t.password} />
        <TextField form={form.form} name="otp" label={t.otp} inputMode="numeric" />
        <TextField form={form.form} name="pin" type="password" label={t.pin} inputMode="numeric" />
      </div>
      <div>
        <SubmitButton of={form}>{t.pay}</SubmitButton>
      </div>
    </Form>
  );
}
