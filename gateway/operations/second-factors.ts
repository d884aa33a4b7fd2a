import { z } from "zod";
import { moneyToWire, parseMoney } from "../../services/kernel/money.js";
import { operation } from "../operation.js";
import { currencyCode, moneyTextOrNumberIn, text, reasonIn } from "../schema.js";
import { CodeSent, ResetAsked, SecondFactors, TotpSecret, proofFields, proofIn } from "../shapes/second-factors.js";
import { everyRole, v6 } from "../route.js";
import { payableTypes } from "./payments.js";

const ownFactor = { tag: "Second factors", access: everyRole, peopleOnly: "credentials" } as const;

const base = `${v6}/securitymanagement`;

export const readSecondFactors = operation({
  ...ownFactor,
  method: "get",
  path: `${base}/second-factors`,
  summary: "Read one's own second factors",
  answer: SecondFactors,
  message: "Second factors",
  example: { as: "amina@demo.example" },
  rpc: "identity.getUserFactors",
});

export const chooseSecondFactors = operation({
  ...ownFactor,
  method: "put",
  path: `${base}/choose-second-factors`,
  summary:
    "Choose what to be asked for at payments, beyond what the organisation asks for; off takes what is switched off",
  sdk: { isUsedUp: true },
  body: z
    .object({ password: text(1024), otp: z.boolean(), pin: z.boolean(), ...proofFields })
    .meta({ id: "SecondFactorChoice" }),
  answer: SecondFactors,
  message: "Second factors chosen",
  example: {
    as: "amina@demo.example",
    sandbox: true,
    body: { password: "Demo-Amina-1", otp: false, pin: false },
  },
  rpc: "identity.chooseFactors",
  fields: proofIn,
});

export const enrolTotp = operation({
  ...ownFactor,
  method: "post",
  path: `${base}/enrol-totp`,
  summary: "Begin to use an authenticator (RFC 6238)",
  body: z.object({ password: text(1024), ...proofFields }).meta({ id: "TotpEnrolment" }),
  answer: TotpSecret,
  message: "Confirm with a code of the authenticator",
  example: { as: "amina@demo.example", sandbox: true, body: { password: "Demo-Amina-1" } },
  rpc: "identity.enrolTotp",
  fields: proofIn,
});

export const enrolTotpBeforeLogin = operation({
  method: "post",
  path: `${base}/enrol-totp-before-login`,
  tag: "Second factors",
  summary: "Begin to use an authenticator, for staff who cannot log in without one",
  access: "anyone",
  body: z.object({ email: text(320), currentPassword: text(1024) }).meta({ id: "TotpEnrolmentBeforeLogin" }),
  answer: TotpSecret,
  message: "Log in with a code of the authenticator",
  renames: { password: "currentPassword" },
  example: {
    sandbox: true,
    body: { email: "manager@demo.example", currentPassword: "Demo-Manager-1" },
    answers: 401,
  },
  rpc: "identity.enrolTotp",
  fields: { currentPassword: "password" },
  adds: ({ clientIp }) => ({ ipAddress: clientIp }),
});

export const confirmTotp = operation({
  ...ownFactor,
  method: "post",
  path: `${base}/confirm-totp`,
  summary: "Confirm an authenticator with a code of it",
  body: z.object({ otp: text(16) }).meta({ id: "TotpConfirmation" }),
  answer: SecondFactors,
  message: "Authenticator confirmed",
  example: { as: "manager@demo.example", sandbox: true, body: { otp: "123456" }, answers: 409 },
  rpc: "identity.confirmTotp",
});

export const removeTotp = operation({
  ...ownFactor,
  method: "post",
  path: `${base}/remove-totp`,
  summary: "Stop using an authenticator",
  body: z.object({ password: text(1024), otp: text(16) }).meta({ id: "TotpRemoval" }),
  answer: SecondFactors,
  message: "Authenticator removed",
  example: {
    as: "manager@demo.example",
    sandbox: true,
    body: { password: "Demo-Manager-1", otp: "123456" },
    answers: 409,
  },
  rpc: "identity.removeTotp",
});

export const setPin = operation({
  ...ownFactor,
  method: "put",
  path: `${base}/set-pin`,
  summary: "Set the PIN; another one takes the one before, or a code",
  sdk: { isUsedUp: true },
  body: z.object({ password: text(1024), pin: text(16), ...proofFields }).meta({ id: "PinChange" }),
  answer: SecondFactors,
  message: "PIN set",
  example: { as: "amina@demo.example", sandbox: true, body: { password: "Demo-Amina-1", pin: "2580" } },
  rpc: "identity.setPin",
  fields: proofIn,
});

export const requestChangeCode = operation({
  method: "post",
  path: `${base}/request-change-code`,
  tag: "Second factors",
  summary: "Be sent a code that is good for one change of the PIN, the second factors or a contact",
  access: everyRole,
  peopleOnly: "codes",
  body: z
    .object({ change: z.enum(["PIN", "SECOND_FACTORS", "CONTACT"]), channel: z.enum(["EMAIL", "SMS"]) })
    .meta({ id: "ChangeCodeRequest" }),
  answer: CodeSent,
  message: "Code sent",
  example: { as: "amina@demo.example", sandbox: true, body: { change: "CONTACT", channel: "SMS" } },
  rpc: "identity.requestChangeCode",
});

export const requestPaymentCode = operation({
  method: "post",
  path: `${base}/request-payment-code`,
  tag: "Second factors",
  summary: "Be sent a code that is good for one payment of this amount to this payee",
  access: everyRole,
  scopes: ["payments:make", "payments:process"],
  inPerson: ["MANAGER", "AGENT"],
  body: z
    .object({
      channel: z.enum(["EMAIL", "SMS"]),
      payableType: z
        .enum([...payableTypes, "CASH"])
        .meta({ description: "What will be paid; CASH for cash given out at a desk, WALLET for a hold, too." }),
      payAbleId: text(128).meta({ description: "For CASH the accountId of the wallet, for a hold the payee's." }),
      totalCheckOutAmount: moneyTextOrNumberIn,
      currency: currencyCode,
    })
    .meta({ id: "PaymentCodeRequest" }),
  answer: CodeSent,
  message: "Code sent",
  example: {
    as: "amina@demo.example",
    sandbox: true,
    body: {
      channel: "EMAIL",
      payableType: "TRANSACTION",
      payAbleId: "0199d0c2-0000-7000-8000-000000000001",
      totalCheckOutAmount: "25.00",
      currency: "USD",
    },
  },
  rpc: "identity.requestPaymentCode",
  asks: ({ body: { channel, payableType, payAbleId, totalCheckOutAmount, currency } }) => {
    const amount = moneyToWire(parseMoney(totalCheckOutAmount, currency, "totalCheckOutAmount"));
    return { payment: { amount, payee: `${payableType}:${payAbleId}` }, channel: `CODE_CHANNEL_${channel}` as const };
  },
});

export const resetSecondFactors = operation({
  method: "post",
  path: `${v6}/usermanagement/users/:userId/reset-second-factors`,
  tag: "Second factors",
  summary:
    "Ask to take away the second factors of somebody who has lost them: another MANAGER approves, and its owner may stop it",
  access: ["MANAGER"],
  peopleOnly: "credentials",
  params: z.object({ userId: text(64) }),
  body: z.object({ reason: reasonIn }).meta({ id: "SecondFactorReset" }),
  waits: true,
  answer: ResetAsked,
  message: "Reset asked for",
  example: {
    as: "manager@demo.example",
    sandbox: true,
    params: { userId: "0199d0c2-0000-7000-8000-000000000001" },
    body: { reason: "lost the telephone" },
    from: { "params.userId": "createStaffUser data.userId" },
    answers: 202,
  },
  rpc: "identity.resetFactors",
  answerFields: { takesEffectAt: "resetAt" },
  isWaiting: () => true,
});

export const stopSecondFactorReset = operation({
  ...ownFactor,
  method: "post",
  path: `${base}/stop-second-factor-reset`,
  summary: "Stop a reset of one's own second factors that staff asked for",
  body: z.object({}),
  bodyOptional: true,
  answer: SecondFactors,
  message: "Reset stopped",
  example: { as: "amina@demo.example", sandbox: true, body: {}, answers: 409 },
  rpc: "identity.stopFactorReset",
});
