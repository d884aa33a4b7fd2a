import { useQuery } from "@tanstack/react-query";
import type { FieldPath, UseFormReturn } from "react-hook-form";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { Button } from "../../ui/button";
import { TextField } from "../../ui/form";
import { ErrorPanel } from "../../ui/panels";
import { useAction } from "../../ui/use-action";
import { texts } from "./texts";

/** What a change of oneself takes: the password, and a code or the PIN where one has either. */
export interface ProofValues {
  password: string;
  currentOtp: string;
  currentPin: string;
}

export const proofDefaults: ProofValues = { password: "", currentOtp: "", currentPin: "" };

export function proofOf({ password, currentOtp, currentPin }: ProofValues) {
  return {
    password,
    ...(currentOtp.trim() && { currentOtp: currentOtp.trim() }),
    ...(currentPin.trim() && { currentPin: currentPin.trim() }),
  };
}

export function useFactors() {
  return useQuery(read("staff", "readSecondFactors", {}, (options) => api.secondFactors.read(options)));
}

interface Props<Values extends ProofValues> {
  form: UseFormReturn<Values>;
  /** What a code is good for that is sent by mail. */
  change: "PIN" | "SECOND_FACTORS" | "CONTACT";
}

export function ProofFields<Values extends ProofValues>({ form, change }: Props<Values>) {
  const t = useTexts(texts);
  const factors = useFactors().data;
  const name = (field: keyof ProofValues) => field as FieldPath<Values>;
  const send = useAction({
    operation: "requestChangeCode",
    run: () => api.secondFactors.requestChangeCode({ change, channel: "EMAIL" }),
    done: ({ sentTo }) => t.codeSentTo(sentTo),
  });
  const hasFactor = factors?.totpEnrolled || factors?.pinSet;
  return (
    <>
      <TextField
        form={form}
        name={name("password")}
        label={t.currentPassword}
        type="password"
        autoComplete="current-password"
        isRequired
      />
      {hasFactor && (
        <>
          <TextField
            form={form}
            name={name("currentOtp")}
            label={factors.totpEnrolled ? t.otp : t.mailedCode}
            hint={factors.totpEnrolled ? t.otpHint : t.mailedCodeHint}
            inputMode="numeric"
            autoComplete="one-time-code"
          />
          <ErrorPanel error={send.error} />
          <div>
            <Button busy={send.isRunning} onClick={() => void send.run()}>
              {t.mailCode}
            </Button>
          </div>
        </>
      )}
      {factors?.pinSet && (
        <TextField form={form} name={name("currentPin")} label={t.currentPin} type="password" inputMode="numeric" />
      )}
    </>
  );
}
