import { z } from "zod";
import type { UserFactors as WireFactors } from "../../proto/gen/identity/v1/second_factors.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { moneyToWire, parseMoney } from "../../services/kernel/money.js";
import { route } from "../route.js";
import { currencyCode, instant, moneyTextOrNumberIn, text } from "../schema.js";
import { absentIfEmpty, filled, timeText } from "../wire.js";
import { everyRole, v6 } from "./base.js";
import { proofFields, proofOf } from "./proof.js";
import { reasonIn } from "./cursor-pages.js";

const base = `${v6}/securitymanagement`;

const SecondFactors = z
  .object({
    totpEnrolled: z.boolean(),
    pinSet: z.boolean(),
    pinLocked: z.boolean(),
    otpRequired: z
      .boolean()
      .meta({ description: "Asked for at payments, by the organisation or by one's own choice." }),
    pinRequired: z.boolean(),
    reset: z
      .object({ state: z.enum(["ASKED", "WAITING"]), takesEffectAt: instant.optional() })
      .optional()
      .meta({ description: "Staff asked to take them away; stop-second-factor-reset stops it." }),
  })
  .meta({ id: "SecondFactors" });

const TotpSecret = z
  .object({ secret: z.string().meta({ description: "Base32, shown here only." }), otpauthUri: z.string() })
  .meta({ id: "TotpSecret" });

export const readSecondFactors = route({
  method: "get",
  path: `${base}/second-factors`,
  operationId: "readSecondFactors",
  tag: "Second factors",
  summary: "Read one's own second factors",
  access: everyRole,
  peopleOnly: "credentials",
  answer: SecondFactors,
  message: "Second factors",
  example: { as: "amina@demo.example" },
  run: async ({ call, clients }) => fromWire((await clients.identity.getUserFactors({}, outgoing(call))).factors),
});

export const chooseSecondFactors = route({
  method: "put",
  path: `${base}/choose-second-factors`,
  operationId: "chooseSecondFactors",
  tag: "Second factors",
  summary:
    "Choose what to be asked for at payments, beyond what the organisation asks for; off takes what is switched off",
  access: everyRole,
  peopleOnly: "credentials",
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
  run: async ({ body, call, clients }) =>
    fromWire((await clients.identity.chooseFactors({ ...body, proof: proofOf(body) }, outgoing(call))).factors),
});

export const enrolTotp = route({
  method: "post",
  path: `${base}/enrol-totp`,
  operationId: "enrolTotp",
  tag: "Second factors",
  summary: "Begin to use an authenticator (RFC 6238)",
  access: everyRole,
  peopleOnly: "credentials",
  body: z.object({ password: text(1024), ...proofFields }).meta({ id: "TotpEnrolment" }),
  answer: TotpSecret,
  message: "Confirm with a code of the authenticator",
  example: { as: "amina@demo.example", sandbox: true, body: { password: "Demo-Amina-1" } },
  run: ({ body, call, clients }) =>
    clients.identity.enrolTotp({ password: body.password, proof: proofOf(body) }, outgoing(call)),
});

export const enrolTotpBeforeLogin = route({
  method: "post",
  path: `${base}/enrol-totp-before-login`,
  operationId: "enrolTotpBeforeLogin",
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
  run: ({ body, call, clients }) =>
    clients.identity.enrolTotp(
      { email: body.email, password: body.currentPassword, ipAddress: call.clientIp },
      outgoing(call),
    ),
});

export const confirmTotp = route({
  method: "post",
  path: `${base}/confirm-totp`,
  operationId: "confirmTotp",
  tag: "Second factors",
  summary: "Confirm an authenticator with a code of it",
  access: everyRole,
  peopleOnly: "credentials",
  body: z.object({ otp: text(16) }).meta({ id: "TotpConfirmation" }),
  answer: SecondFactors,
  message: "Authenticator confirmed",
  example: { as: "manager@demo.example", sandbox: true, body: { otp: "123456" }, answers: 409 },
  run: async ({ body, call, clients }) => fromWire((await clients.identity.confirmTotp(body, outgoing(call))).factors),
});

export const removeTotp = route({
  method: "post",
  path: `${base}/remove-totp`,
  operationId: "removeTotp",
  tag: "Second factors",
  summary: "Stop using an authenticator",
  access: everyRole,
  peopleOnly: "credentials",
  body: z.object({ password: text(1024), otp: text(16) }).meta({ id: "TotpRemoval" }),
  answer: SecondFactors,
  message: "Authenticator removed",
  example: {
    as: "manager@demo.example",
    sandbox: true,
    body: { password: "Demo-Manager-1", otp: "123456" },
    answers: 409,
  },
  run: async ({ body, call, clients }) => fromWire((await clients.identity.removeTotp(body, outgoing(call))).factors),
});

export const setPin = route({
  method: "put",
  path: `${base}/set-pin`,
  operationId: "setPin",
  tag: "Second factors",
  summary: "Set the PIN; another one takes the one before, or a code",
  access: everyRole,
  peopleOnly: "credentials",
  sdk: { isUsedUp: true },
  body: z.object({ password: text(1024), pin: text(16), ...proofFields }).meta({ id: "PinChange" }),
  answer: SecondFactors,
  message: "PIN set",
  example: { as: "amina@demo.example", sandbox: true, body: { password: "Demo-Amina-1", pin: "2580" } },
  run: async ({ body, call, clients }) => {
    const request = { password: body.password, pin: body.pin, proof: proofOf(body) };
    return fromWire((await clients.identity.setPin(request, outgoing(call))).factors);
  },
});

const CodeSent = z.object({ expiresAt: instant, sentTo: z.string() });

export const requestChangeCode = route({
  method: "post",
  path: `${base}/request-change-code`,
  operationId: "requestChangeCode",
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
  run: async ({ body, call, clients }) => {
    const request = {
      change: `CHANGE_KIND_${body.change}` as const,
      channel: `CODE_CHANNEL_${body.channel}` as const,
    };
    const { expiresAt, sentTo } = await clients.identity.requestChangeCode(request, outgoing(call));
    return { expiresAt: timeText(expiresAt, "expires_at"), sentTo };
  },
});

export const requestPaymentCode = route({
  method: "post",
  path: `${base}/request-payment-code`,
  operationId: "requestPaymentCode",
  tag: "Second factors",
  summary: "Be sent a code that is good for one payment of this amount to this payee",
  access: everyRole,
  scopes: ["payments:make", "payments:process"],
  inPerson: ["MANAGER", "AGENT"],
  body: z
    .object({
      channel: z.enum(["EMAIL", "SMS"]),
      payableType: z
        .enum(["TRANSACTION", "WALLET", "WALLET_CUSTOMER", "BILL", "MERCHANT", "WITHDRAWAL", "CASH"])
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
  run: async ({ body, call, clients }) => {
    const amount = moneyToWire(parseMoney(body.totalCheckOutAmount, body.currency, "totalCheckOutAmount"));
    const request = {
      payment: { amount, payee: `${body.payableType}:${body.payAbleId}` },
      channel: `CODE_CHANNEL_${body.channel}` as const,
    };
    const { expiresAt, sentTo } = await clients.identity.requestPaymentCode(request, outgoing(call));
    return { expiresAt: timeText(expiresAt, "expires_at"), sentTo };
  },
});

export const resetSecondFactors = route({
  method: "post",
  path: `${v6}/usermanagement/users/:userId/reset-second-factors`,
  operationId: "resetSecondFactors",
  tag: "Second factors",
  summary:
    "Ask to take away the second factors of somebody who has lost them: another MANAGER approves, and its owner may stop it",
  access: ["MANAGER"],
  peopleOnly: "credentials",
  params: z.object({ userId: text(64) }),
  body: z.object({ reason: reasonIn }).meta({ id: "SecondFactorReset" }),
  waits: true,
  answer: z
    .object({
      resetId: z.string(),
      state: z.enum(["ASKED", "WAITING"]),
      approvalId: z.string().optional().meta({ description: "What another MANAGER decides on." }),
      takesEffectAt: instant.optional().meta({ description: "Once it was approved." }),
    })
    .meta({ id: "SecondFactorResetAsked" }),
  message: "Reset asked for",
  example: {
    as: "manager@demo.example",
    sandbox: true,
    params: { userId: "0199d0c2-0000-7000-8000-000000000001" },
    body: { reason: "lost the telephone" },
    from: { "params.userId": "createStaffUser data.userId" },
    answers: 202,
  },
  run: async ({ params, body, call, clients }) => {
    const reset = await clients.identity.resetFactors({ ...params, ...body }, outgoing(call));
    call.markWaiting();
    return {
      resetId: reset.resetId,
      state: reset.state as "ASKED" | "WAITING",
      approvalId: absentIfEmpty(reset.approvalId),
      ...(reset.resetAt && { takesEffectAt: reset.resetAt.toISOString() }),
    };
  },
});

export const stopSecondFactorReset = route({
  method: "post",
  path: `${base}/stop-second-factor-reset`,
  operationId: "stopSecondFactorReset",
  tag: "Second factors",
  summary: "Stop a reset of one's own second factors that staff asked for",
  access: everyRole,
  peopleOnly: "credentials",
  body: z.object({}),
  bodyOptional: true,
  answer: SecondFactors,
  message: "Reset stopped",
  example: { as: "amina@demo.example", sandbox: true, body: {}, answers: 409 },
  run: async ({ call, clients }) => fromWire((await clients.identity.stopFactorReset({}, outgoing(call))).factors),
});

function fromWire(factors: WireFactors | undefined): z.output<typeof SecondFactors> {
  const { resetState, resetAt, ...rest } = filled(factors, "factors");
  const state = absentIfEmpty(resetState) as "ASKED" | "WAITING" | undefined;
  return { ...rest, ...(state && { reset: { state, ...(resetAt && { takesEffectAt: resetAt.toISOString() }) } }) };
}
