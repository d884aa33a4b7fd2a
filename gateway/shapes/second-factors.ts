import { z } from "zod";
import * as wire from "../../proto/gen/identity/v1/second_factors.js";
import { shape } from "../codec.js";
import { instant, shown, maybe, text } from "../schema.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const resetState = z.enum(["ASKED", "WAITING"]);

export const SecondFactors = shape(
  wire.UserFactors,
  z
    .object({
      totpEnrolled: z.boolean(),
      pinSet: z.boolean(),
      pinLocked: leaf.no,
      otpRequired: z
        .boolean()
        .meta({ description: "Asked for at payments, by the organisation or by one's own choice." }),
      pinRequired: z.boolean(),
      reset: z
        .object({ state: resetState, takesEffectAt: instant.optional() })
        .optional()
        .meta({ description: "Staff asked to take them away; stop-second-factor-reset stops it." }),
    })
    .meta({ id: "SecondFactors" }),
  {
    reset: { group: { state: "resetState", takesEffectAt: "resetAt" } },
  },
);

export const TotpSecret = z
  .object({
    secret: leaf.secret.meta({ description: "Base32, shown here only." }),
    otpauthUri: shown(z.string(), "otpauth://totp/Manilla:manager@demo.example?secret=JBSWY3DPEHPK3PXP&issuer=Manilla"),
  })
  .meta({ id: "TotpSecret" });

export const CodeSent = z.object({ expiresAt: instant, sentTo: leaf.sentTo });

export const ResetAsked = z
  .object({
    resetId: z.string(),
    state: resetState,
    approvalId: z.string().optional().meta({ description: "What another MANAGER decides on." }),
    takesEffectAt: instant.optional().meta({ description: "Once it was approved." }),
  })
  .meta({ id: "SecondFactorResetAsked" });

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
