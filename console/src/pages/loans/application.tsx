import { Check, Send, X } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useMay } from "../../lib/use-session";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { KeyValue } from "../../ui/facts";
import { Id, Money, Time } from "../../ui/figures";
import { Section } from "../../ui/panels";
import { useAction } from "../../ui/use-action";
import { inWords } from "../../ui/words";
import { mayBeDisbursed } from "./codes";
import { texts } from "./texts";
import type { Application } from "./types";

/** How far the application is, and why. */
export function Decision({ application }: { application: Application }) {
  const t = useTexts(texts);
  const { status, disbursementStatus, outstandingRequirements } = application;
  return (
    <Section title={t.application}>
      <KeyValue
        columns={1}
        facts={[
          { label: t.status, value: <StatusBadge status={status} /> },
          {
            label: t.reason,
            value: application.reason ?? (application.reasonCode && inWords(application.reasonCode)),
          },
          { label: t.stillRequired, value: outstandingRequirements.map(inWords).join(", ") || t.nothing },
          { label: t.applied, value: <Time at={application.createdAt} /> },
          { label: t.decided, value: <Time at={application.decidedAt} /> },
          { label: t.accepted, value: <Time at={application.acceptedAt} /> },
          {
            label: t.disbursement,
            value: disbursementStatus === "NONE" ? undefined : <Payout application={application} />,
          },
          { label: t.loanId, value: <Id value={application.loanApplicationId} /> },
        ]}
      />
    </Section>
  );
}

function Payout({ application: { disbursementStatus, disbursementFailure } }: { application: Application }) {
  return (
    <>
      <StatusBadge status={disbursementStatus} {...(disbursementStatus === "DONE" && { tone: "good" as const })} />
      {disbursementFailure && <span className="ml-2">{disbursementFailure}</span>}
    </>
  );
}

type Step = "approve" | "reject" | "disburse";

/** What may be done with it now. */
export function ApplicationActions({ application }: { application: Application }) {
  const t = useTexts(texts);
  const may = useMay();
  const [step, setStep] = useState<Step>();
  const mayDecide = may("decideLoanApplication") && application.status === "SUBMITTED";
  return (
    <>
      {mayDecide && (
        <>
          <Button icon={X} onClick={() => setStep("reject")}>
            {t.reject}
          </Button>
          <Button icon={Check} variant="primary" onClick={() => setStep("approve")}>
            {t.approve}
          </Button>
        </>
      )}
      {may("disburseLoan") && mayBeDisbursed(application) && (
        <Button icon={Send} variant="primary" onClick={() => setStep("disburse")}>
          {t.disburse}
        </Button>
      )}
      {step && <StepDialog application={application} step={step} onClose={() => setStep(undefined)} />}
    </>
  );
}

interface StepProps {
  application: Application;
  step: Step;
  onClose: () => void;
}

function StepDialog({ application, step, onClose }: StepProps) {
  const t = useTexts(texts);
  const { loanApplicationId: id, offer } = application;
  const stated = {
    approve: { title: t.approveTitle, hint: t.approveHint, done: t.approved },
    reject: { title: t.rejectTitle, hint: t.rejectHint, done: t.rejected },
    disburse: { title: t.disburseTitle, hint: t.disburseHint, done: t.disburseAsked },
  }[step];
  const decide = useAction({
    operation: step === "disburse" ? "disburseLoan" : "decideLoanApplication",
    run: async (reason: string, options): Promise<Application> =>
      step === "disburse"
        ? api.loans.disburse(id, { reason }, options)
        : api.loans.decideApplication(id, { approve: step === "approve", reason }, options),
    stales: ["loans", "approvals", "home"],
    done: stated.done,
  });
  return (
    <ConfirmDialog title={stated.title} confirm={t[step]} danger={step === "reject"} action={decide} onClose={onClose}>
      <p className="font-medium">
        {offer.loanProductName} · <Money amount={offer.loanAmount} currency={offer.currency} />
      </p>
      <p className="text-muted">{stated.hint}</p>
    </ConfirmDialog>
  );
}
