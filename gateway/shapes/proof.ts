import { maybe, text } from "../schema.js";

/** Beside the password: one of what is enrolled. */
export const proofFields = {
  currentPin: maybe(text(16, 0)).meta({ description: "The PIN as it is." }),
  currentOtp: maybe(text(16, 0)).meta({
    description: "A code of the authenticator, or one sent by request-change-code.",
  }),
};

/** Where it lies in a request; there also when nothing was given. */
export const proofIn = {
  currentPin: { field: "proof.pin", absent: "" },
  currentOtp: { field: "proof.otp", absent: "" },
} as const;
