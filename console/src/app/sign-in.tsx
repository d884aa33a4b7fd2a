import { LogIn } from "lucide-react";
import { useState, type FormEvent } from "react";
import { isSandbox, switchEnvironment } from "../lib/environment";
import { useTexts } from "../lib/language";
import { nameOfDesk } from "../lib/organisation";
import { session, SessionError } from "../lib/session";
import { useSession } from "../lib/use-session";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { ErrorPanel } from "../ui/panels";
import { Choices } from "./choices";
import { ForgottenPassword } from "./forgotten-password";
import { SandboxFrame } from "./sandbox-frame";
import { appTexts } from "./texts";

const asksForCode = new Set(["OTP_REQUIRED", "OTP_WRONG"]);

/** E-mail, password, and the authenticator's code once it is asked for. */
function SignInForm({ knownEmail }: { knownEmail?: string }) {
  const t = useTexts(appTexts);
  const [isBusy, setBusy] = useState(false);
  const [hasCode, setHasCode] = useState(false);
  const [error, setError] = useState<unknown>();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const typed = new FormData(event.currentTarget);
    const text = (name: string) => (typed.get(name) ?? "") as string;
    setBusy(true);
    setError(undefined);
    try {
      await session.signIn({
        email: knownEmail ?? text("email").trim(),
        password: text("password"),
        otp: text("otp").trim(),
      });
    } catch (refused) {
      if (refused instanceof SessionError && asksForCode.has(refused.code)) setHasCode(true);
      const isFirstAsking = refused instanceof SessionError && refused.code === "OTP_REQUIRED";
      setError(isFirstAsking ? undefined : refused);
    } finally {
      setBusy(false);
    }
  };

  const code = error instanceof SessionError ? error.code : undefined;
  const message = code === "LOGIN_FAILED" ? t.loginFailed : code === "OTP_WRONG" ? t.otpWrong : undefined;
  return (
    <form className="flex flex-col gap-3.5" onSubmit={(event) => void submit(event)}>
      {message !== undefined ? (
        <p role="alert" className="rounded-lg border border-bad/40 bg-bad-soft px-3 py-2 font-medium text-bad">
          {message}
        </p>
      ) : (
        <ErrorPanel error={error} />
      )}
      <label className="flex flex-col gap-1 font-medium">
        {t.email}
        <input
          className="control font-normal"
          name="email"
          type="email"
          autoComplete="username"
          required
          autoFocus={knownEmail === undefined}
          defaultValue={knownEmail}
          readOnly={knownEmail !== undefined}
        />
      </label>
      <label className="flex flex-col gap-1 font-medium">
        {t.password}
        <input
          className="control font-normal"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          autoFocus={knownEmail !== undefined}
        />
      </label>
      {hasCode && (
        <label className="flex flex-col gap-1 font-medium">
          {t.otp}
          <input
            className="control figures font-normal"
            name="otp"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            autoFocus
          />
          <span className="text-xs font-normal text-muted">{t.otpHint}</span>
        </label>
      )}
      <Button type="submit" variant="primary" icon={LogIn} busy={isBusy} className="mt-1 min-h-9">
        {t.signIn}
      </Button>
    </form>
  );
}

export function SignInPage() {
  const t = useTexts(appTexts);
  const [shown, setShown] = useState<"sign-in" | "forgotten" | "set">("sign-in");
  const desk = nameOfDesk();
  document.title = `${t.signIn} · ${desk === "" ? "Manilla" : desk}`;
  return (
    <SandboxFrame>
      <main className="flex min-h-full flex-1 flex-col items-center justify-center gap-4 p-4">
        <div className="card w-full max-w-sm p-6">
          <div className="mb-5 flex items-center gap-2.5">
            <Logo />
            <div>
              <h1 className="text-lg font-semibold">{t.signInTitle}</h1>
              {desk !== "" && <p className="break-words text-muted">{desk}</p>}
            </div>
          </div>
          {shown === "set" && (
            <p role="status" className="mb-3">
              {t.passwordSet}
            </p>
          )}
          {shown === "forgotten" ? (
            <ForgottenPassword onDone={(isSet) => setShown(isSet ? "set" : "sign-in")} />
          ) : (
            <>
              <SignInForm />
              <Button variant="quiet" className="mt-3 w-full" onClick={() => setShown("forgotten")}>
                {t.forgotten}
              </Button>
            </>
          )}
        </div>
        <div className="flex flex-wrap items-center justify-center gap-2">
          <Choices />
          <Button variant="quiet" onClick={switchEnvironment}>
            {isSandbox ? t.toLive : t.toSandbox}
          </Button>
        </div>
      </main>
    </SandboxFrame>
  );
}

/** Over the page whose session has ended: its forms stay, and what was sent goes on after it. */
export function SignInAgain() {
  const t = useTexts(appTexts);
  const state = useSession();
  if (state.status !== "locked") return null;
  return (
    <Dialog title={t.ended} isFirm onClose={() => undefined}>
      <p className="mb-4">{t.endedHint}</p>
      <SignInForm knownEmail={state.user.email} />
      <Button variant="quiet" className="mt-3 w-full" onClick={() => location.assign("/console/")}>
        {t.other}
      </Button>
    </Dialog>
  );
}

export function Logo() {
  return (
    <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden className="shrink-0">
      <rect width="32" height="32" rx="7" className="fill-accent" />
      <path
        d="M8 23V10l8 8 8-8v13"
        fill="none"
        strokeWidth="3.4"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-accent-ink"
      />
    </svg>
  );
}
