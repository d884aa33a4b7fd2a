import { KeyRound, Mail } from "lucide-react";
import { useState, type FormEvent } from "react";
import { api } from "../lib/api";
import { useTexts } from "../lib/language";
import { Button } from "../ui/button";
import { ErrorPanel } from "../ui/panels";
import { appTexts } from "./texts";

/**
 * Whoever forgot their password is sent a code and sets another with it.
 * `onDone` is told whether they did.
 */
export function ForgottenPassword({ onDone }: { onDone: (isSet: boolean) => void }) {
  const t = useTexts(appTexts);
  const [isSent, setSent] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [isOther, setOther] = useState(false);
  const [error, setError] = useState<unknown>();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const typed = new FormData(event.currentTarget);
    const text = (name: string) => (typed.get(name) ?? "") as string;
    const newPassword = text("newPassword");
    setOther(isSent && newPassword !== text("again"));
    if (isSent && newPassword !== text("again")) return;
    setBusy(true);
    setError(undefined);
    try {
      if (isSent) await api.security.resetPassword({ token: text("token").trim(), newPassword });
      else await api.security.requestPasswordReset({ email: text("email").trim() });
      if (isSent) onDone(true);
      setSent(true);
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form className="flex flex-col gap-3.5" onSubmit={(event) => void submit(event)}>
      <p role="status" className="text-muted">
        {isSent ? t.resetSent : t.resetHint}
      </p>
      {isOther ? (
        <p role="alert" className="font-medium text-bad">
          {t.notSame}
        </p>
      ) : (
        <ErrorPanel error={error} />
      )}
      {isSent ? (
        <>
          <Typed key="token" name="token" label={t.resetCode} autoComplete="one-time-code" />
          <Typed name="newPassword" label={t.newPassword} type="password" autoComplete="new-password" />
          <Typed name="again" label={t.again} type="password" autoComplete="new-password" />
        </>
      ) : (
        <Typed key="email" name="email" label={t.email} type="email" autoComplete="username" />
      )}
      <Button type="submit" variant="primary" icon={isSent ? KeyRound : Mail} busy={isBusy} className="mt-1 min-h-9">
        {isSent ? t.setPassword : t.sendCode}
      </Button>
      <Button variant="quiet" onClick={() => onDone(false)}>
        {t.toSignIn}
      </Button>
    </form>
  );
}

function Typed(props: { name: string; label: string; type?: string; autoComplete: string }) {
  const { label, ...rest } = props;
  return (
    <label className="flex flex-col gap-1 font-medium">
      {label}
      <input className="control font-normal" required {...rest} />
    </label>
  );
}
