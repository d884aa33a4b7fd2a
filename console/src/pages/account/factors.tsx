import { useState } from "react";
import { api, type AnswerOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { KeyValue } from "../../ui/facts";
import { Time } from "../../ui/figures";
import { Loaded, Section } from "../../ui/panels";
import { useAction } from "../../ui/use-action";
import { EnrolDialog } from "./enrol-dialog";
import { PinDialog, RemoveDialog } from "./factor-dialogs";
import { useFactors } from "./proof-fields";
import { texts } from "./texts";

type State = AnswerOf<typeof api.secondFactors.read>;
type Open = "enrol" | "remove" | "pin" | "stop";

/** An authenticator and a PIN, beside the password. */
export function Factors() {
  const t = useTexts(texts);
  const factors = useFactors();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <Loaded query={factors} lines={5}>
      {(found) => (
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
          {found.reset && <Reset reset={found.reset} onStop={() => setOpen("stop")} />}
          <Section title={t.authenticator}>
            <div className="flex flex-col gap-3">
              <KeyValue
                facts={[
                  { label: t.state, value: <Has it={found.totpEnrolled} /> },
                  { label: t.askedAtPayments, value: found.otpRequired ? t.yes : t.no },
                ]}
              />
              <p className="text-muted">{t.authenticatorHint}</p>
              <div>
                {found.totpEnrolled ? (
                  <Button variant="danger" onClick={() => setOpen("remove")}>
                    {t.remove}
                  </Button>
                ) : (
                  <Button variant="primary" onClick={() => setOpen("enrol")}>
                    {t.enrol}
                  </Button>
                )}
              </div>
            </div>
          </Section>
          <Section title={t.pin}>
            <div className="flex flex-col gap-3">
              <KeyValue
                facts={[
                  {
                    label: t.state,
                    value: found.pinLocked ? <Badge tone="bad">{t.locked}</Badge> : <Has it={found.pinSet} />,
                  },
                  { label: t.askedAtPayments, value: found.pinRequired ? t.yes : t.no },
                ]}
              />
              <div>
                <Button onClick={() => setOpen("pin")}>{found.pinSet ? t.changePin : t.setPin}</Button>
              </div>
            </div>
          </Section>
          {open === "enrol" && <EnrolDialog onClose={close} />}
          {open === "remove" && <RemoveDialog onClose={close} />}
          {open === "pin" && <PinDialog onClose={close} />}
          {open === "stop" && <StopDialog onClose={close} />}
        </div>
      )}
    </Loaded>
  );
}

function Has({ it }: { it: boolean }) {
  const t = useTexts(texts);
  return it ? <Badge tone="good">{t.isOn}</Badge> : <Badge>{t.isOff}</Badge>;
}

function Reset({ reset, onStop }: { reset: NonNullable<State["reset"]>; onStop: () => void }) {
  const t = useTexts(texts);
  return (
    <div role="alert" className="rounded-lg border border-warn bg-warn-soft p-3 lg:col-span-2">
      <p className="font-medium text-warn">{t.resetAsked}</p>
      <p className="mb-2">
        {t.resetAskedHint} {reset.takesEffectAt && <Time at={reset.takesEffectAt} />}
      </p>
      <Button onClick={onStop}>{t.stopReset}</Button>
    </div>
  );
}

function StopDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const stop = useAction({
    operation: "stopSecondFactorReset",
    run: (_reason: string, options) => api.secondFactors.stopReset({}, options),
    stales: ["staff", "approvals"],
    done: t.resetStopped,
  });
  return (
    <ConfirmDialog title={t.stopReset} confirm={t.stopReset} reason="none" action={stop} onClose={onClose}>
      {t.stopResetHint}
    </ConfirmDialog>
  );
}
