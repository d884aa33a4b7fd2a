import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useMay } from "../../lib/use-session";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { Menu } from "../../ui/menu";
import { useAction } from "../../ui/use-action";
import { isPositive, isRunning } from "./codes";
import { PauseDialog, PayBackDialog, RecoveryDialog, RescheduleDialog } from "./loan-dialogs";
import { texts } from "./texts";
import type { Loan } from "./types";

type Doing = "pause" | "resume" | "reschedule" | "writeOff" | "recovery" | "payBack";

/** What this role may do with the loan as it is. */
export function LoanActions({ loan }: { loan: Loan }) {
  const t = useTexts(texts);
  const may = useMay();
  const [doing, setDoing] = useState<Doing>();
  const active = isRunning(loan);
  const offered: Record<Doing, boolean> = {
    pause: may("pauseDelinquency") && active && !loan.delinquencyPaused,
    resume: may("resumeDelinquency") && active && loan.delinquencyPaused,
    reschedule: may("rescheduleLoan") && active,
    payBack: may("payBackOverpayment") && isPositive(loan.overpaid),
    recovery: may("recordRecovery") && loan.status === "WRITTEN_OFF",
    writeOff: may("writeOffLoan") && active,
  };
  const items = (Object.keys(offered) as Doing[])
    .filter((key) => offered[key])
    .map((key) => ({ key, label: t[key], danger: key === "writeOff", onSelect: () => setDoing(key) }));
  const close = () => setDoing(undefined);
  return (
    <>
      {items.length > 0 && (
        <Menu
          label={t.actions}
          button={
            <>
              {t.actions}
              <ChevronDown size={15} aria-hidden />
            </>
          }
          items={items}
        />
      )}
      {doing === "pause" && <PauseDialog loan={loan} onClose={close} />}
      {doing === "resume" && <ResumeDialog loan={loan} onClose={close} />}
      {doing === "reschedule" && <RescheduleDialog loan={loan} onClose={close} />}
      {doing === "writeOff" && <WriteOffDialog loan={loan} onClose={close} />}
      {doing === "recovery" && <RecoveryDialog loan={loan} onClose={close} />}
      {doing === "payBack" && <PayBackDialog loan={loan} onClose={close} />}
    </>
  );
}

function ResumeDialog({ loan, onClose }: { loan: Loan; onClose: () => void }) {
  const t = useTexts(texts);
  const resume = useAction({
    operation: "resumeDelinquency",
    run: (_reason: string, options) => api.loanServicing.resumeDelinquency(loan.accountId, options),
    stales: ["loans"],
    done: t.resumed,
  });
  return (
    <ConfirmDialog title={t.resumeTitle} confirm={t.resume} reason="none" action={resume} onClose={onClose}>
      {t.resumeHint}
    </ConfirmDialog>
  );
}

function WriteOffDialog({ loan, onClose }: { loan: Loan; onClose: () => void }) {
  const t = useTexts(texts);
  const writeOff = useAction({
    operation: "writeOffLoan",
    run: (reason: string, options) => api.loanServicing.writeOff(loan.accountId, { reason }, options),
    stales: ["loans", "approvals", "home"],
    done: t.writeOffAsked,
  });
  return (
    <ConfirmDialog title={t.writeOffTitle} confirm={t.writeOff} danger action={writeOff} onClose={onClose}>
      {t.writeOffHint}
    </ConfirmDialog>
  );
}
