import { decimal } from "@manilla/client";
import { useState } from "react";
import { api, type AnswerOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { typedAmount } from "../../lib/money";
import { useMay } from "../../lib/use-session";
import { AmountField } from "../../ui/amount-field";
import { Button } from "../../ui/button";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { TextArea, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { ErrorPanel } from "../../ui/panels";
import { useAction } from "../../ui/use-action";
import { agentStales } from "./queries";
import type { ChosenLines } from "./settlement-lines";
import { settlementTexts } from "./settlement-texts";

type Settlement = AnswerOf<typeof api.agents.readAgentSettlement>;
type Payment = Parameters<typeof api.agents.payAgentSettlement>[1];

interface Props {
  settlement: Settlement;
  chosen: ChosenLines;
}

/** What can be done with a settlement as it stands, by whoever may. */
export function SettlementActions({ settlement: { settlementId: id, status }, chosen }: Props) {
  const t = useTexts(settlementTexts);
  const may = useMay();
  const [open, setOpen] = useState<"approve" | "pay" | "dispute" | "end">();
  const close = () => setOpen(undefined);
  const stales = agentStales;
  const { lineIds } = chosen;
  const closing = useAction({
    operation: "closeAgentSettlement",
    run: (_nothing: void, options) => api.agents.closeAgentSettlement(id, options),
    stales,
    done: t.closing,
  });
  const cancelling = useAction({
    operation: "cancelAgentSettlement",
    run: (_nothing: void, options) => api.agents.cancelAgentSettlement(id, options),
    stales,
    done: t.cancelled,
  });
  const approve = useAction({
    operation: "approveAgentSettlement",
    run: (reason: string, options) => api.agents.approveAgentSettlement(id, { reason }, options),
    stales,
    done: t.asked_,
  });
  const dispute = useAction({
    operation: "disputeAgentSettlement",
    run: (reason: string, options) => api.agents.disputeAgentSettlement(id, { reason }, options),
    stales,
    done: t.isDisputed,
  });
  const end = useAction({
    operation: "endAgentSettlementDispute",
    run: (reason: string, options) =>
      api.agents.endAgentSettlementDispute(
        id,
        { reason, ...(lineIds.length > 0 && { lineIds: [...lineIds] }) },
        options,
      ),
    stales,
    done: t.isEnded,
    onDone: chosen.clear,
  });
  const isManager = may("closeAgentSettlement");
  return (
    <>
      <ErrorPanel error={closing.error ?? cancelling.error} />
      {isManager && status === "OPEN" && (
        <Button variant="primary" busy={closing.isRunning} onClick={() => void closing.run()}>
          {t.close_}
        </Button>
      )}
      {isManager && (status === "OPEN" || status === "CLOSING") && (
        <Button busy={cancelling.isRunning} onClick={() => void cancelling.run()}>
          {t.cancelIt}
        </Button>
      )}
      {isManager && status === "CLOSED" && (
        <Button variant="primary" onClick={() => setOpen("approve")}>
          {t.ask}
        </Button>
      )}
      {isManager && status === "APPROVED" && (
        <Button variant="primary" onClick={() => setOpen("pay")}>
          {t.pay}
        </Button>
      )}
      {isManager && status === "DISPUTED" && <Button onClick={() => setOpen("end")}>{t.endDispute}</Button>}
      {(status === "CLOSED" || status === "APPROVED") && (
        <Button variant="danger" onClick={() => setOpen("dispute")}>
          {t.dispute}
        </Button>
      )}
      {open === "approve" && (
        <ConfirmDialog title={t.ask} confirm={t.ask} action={approve} onClose={close}>
          {t.askHint}
        </ConfirmDialog>
      )}
      {open === "dispute" && (
        <ConfirmDialog title={t.dispute} confirm={t.dispute} danger action={dispute} onClose={close}>
          {t.disputeHint}
        </ConfirmDialog>
      )}
      {open === "end" && (
        <ConfirmDialog title={t.endDispute} confirm={t.endDispute} action={end} onClose={close}>
          {lineIds.length > 0 ? t.endMoving(String(lineIds.length)) : t.endHint}
        </ConfirmDialog>
      )}
      {open === "pay" && <PayDialog settlementId={id} onClose={close} />}
    </>
  );
}

function PayDialog({ settlementId, onClose }: { settlementId: string; onClose: () => void }) {
  const t = useTexts(settlementTexts);
  const form = useActionForm({
    operation: "payAgentSettlement",
    run: (payment: Payment, options) => api.agents.payAgentSettlement(settlementId, payment, options),
    stales: agentStales,
    done: t.asked_,
    onDone: onClose,
    defaults: { bankAmount: "", bank: "", reference: "", reason: "" },
    toInput: ({ bankAmount, bank, reference, reason }): Payment => ({
      bankAmount: decimal(typedAmount(bankAmount) ?? ""),
      ...(bank.trim() && { bank: bank.trim() }),
      reference: reference.trim(),
      reason: reason.trim(),
    }),
  });
  return (
    <FormDialog title={t.pay} of={form} submit={t.ask} onClose={onClose}>
      <p className="text-muted">{t.payHint}</p>
      <AmountField form={form.form} name="bankAmount" label={t.bankAmount} isRequired />
      <TextField form={form.form} name="bank" label={t.ownBank} hint={t.ownBankHint} />
      <TextField form={form.form} name="reference" label={t.reference} isRequired />
      <TextArea form={form.form} name="reason" label={t.reason} isRequired />
    </FormDialog>
  );
}
