import { useQuery } from "@tanstack/react-query";
import type { FieldPath, UseFormReturn } from "react-hook-form";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { TextField } from "../../ui/form";
import { texts } from "./texts";

/** That it is oneself: the password, and the factor that one has enrolled. */
export interface ProofValues {
  password: string;
  otp: string;
  pin: string;
}

export const proofDefaults: ProofValues = { password: "", otp: "", pin: "" };

export function proofOf({ password, otp, pin }: ProofValues) {
  return { password, ...(otp.trim() && { otp: otp.trim() }), ...(pin.trim() && { pin: pin.trim() }) };
}

export function useFactors() {
  return useQuery(read("staff", "readSecondFactors", {}, (options) => api.secondFactors.read(options)));
}

export function ProofFields<Values extends ProofValues>({ form }: { form: UseFormReturn<Values> }) {
  const t = useTexts(texts);
  const factors = useFactors().data;
  const name = (field: keyof ProofValues) => field as FieldPath<Values>;
  return (
    <>
      <TextField
        form={form}
        name={name("password")}
        label={t.password}
        type="password"
        autoComplete="current-password"
        hint={t.passwordHint}
        isRequired
      />
      {factors?.totpEnrolled && (
        <TextField
          form={form}
          name={name("otp")}
          label={t.otp}
          inputMode="numeric"
          autoComplete="one-time-code"
          isRequired
        />
      )}
      {factors?.pinSet && !factors.totpEnrolled && (
        <TextField form={form} name={name("pin")} label={t.pin} type="password" inputMode="numeric" isRequired />
      )}
    </>
  );
}
