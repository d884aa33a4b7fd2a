import { randomBytes } from "node:crypto";
import type { Connection } from "mongoose";
import { v7 as uuidv7 } from "uuid";
import { CodeChannel } from "../../../proto/gen/identity/v1/second_factors.js";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import type { Clock } from "../../shared/clock.js";
import { actorOf, requireUser, type Call } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { formatMoney } from "../../shared/money.js";
import { inTransaction } from "../../shared/mongo/transaction.js";
import type { Outbox } from "../../shared/outbox/index.js";
import { invalidInput, Refusal } from "../../shared/refusal.js";
import { factorsRequiredOf, isTotpAskedAtLogin, maskAddress, parsePin } from "../domain/factors.js";
import { parseName } from "../domain/people.js";
import { messageRule } from "../domain/throttle.js";
import { toBase32 } from "../domain/totp.js";
import type { LoginCheck } from "../login-check.js";
import type { PasswordChecks } from "../password-checks.js";
import type { PasswordHasher } from "../passwords.js";
import type { FieldCipher } from "../personal-data.js";
import { rowKinds } from "../relay.js";
import { bindingDigest, totpContext, type SecondFactors } from "../second-factors.js";
import type { UserDocument } from "../store/documents.js";
import { mostPinMisses } from "../store/factors.js";
import type { IdentityStore } from "../store/store.js";
import type { Throttle } from "../throttle.js";
import { bindingFromWire } from "./credentials.js";
import type { ManagedUser } from "./profiles.js";
import { tenantOf } from "./tenants.js";

type FactorRpcs =
  | "getUserFactors"
  | "chooseFactors"
  | "enrolTotp"
  | "confirmTotp"
  | "removeTotp"
  | "setPin"
  | "resetFactors"
  | "requestPaymentCode";

const codeLifetimeMs = 5 * 60_000;

export function factorHandlers(deps: {
  db: Connection;
  store: IdentityStore;
  outbox: Outbox;
  hasher: PasswordHasher;
  checks: PasswordChecks;
  loginCheck: LoginCheck;
  factors: SecondFactors;
  managedUser: ManagedUser;
  cipher: FieldCipher;
  throttle: Throttle;
  clock: Clock;
}): Pick<Handlers<IdentityServiceDefinition>, FactorRpcs> {
  const { db, store, outbox, hasher, checks, loginCheck, factors, managedUser, cipher, throttle, clock } = deps;

  async function caller(call: Call): Promise<UserDocument> {
    const user = await store.forTenant(call.tenantId).findUser(requireUser(call).userId);
    if (user === null) throw new Refusal("NOT_FOUND", "there is no such user");
    return user;
  }

  async function view(call: Call) {
    const { preference } = await tenantOf(store, call.tenantId);
    const user = await caller(call);
    const required = factorsRequiredOf(preference.secondFactors, user.factors?.chosen);
    return {
      factors: {
        totpEnrolled: user.factors?.totp?.confirmedAt !== undefined,
        pinSet: user.factors?.pin !== undefined,
        pinLocked: (user.factors?.pin?.misses ?? 0) >= mostPinMisses,
        otpRequired: required.otp,
        pinRequired: required.pin,
      },
    };
  }

  /** Who enrols: the user of the call; or staff who cannot log in without an authenticator, by e-mail and password. */
  async function enrolling(
    call: Call,
    { email, password, ipAddress }: Record<"email" | "password" | "ipAddress", string>,
  ) {
    if (call.user !== undefined) {
      const user = await caller(call);
      await checks.assertPassword(user, password, call);
      return user;
    }
    const user = await loginCheck(email, password, ipAddress, call);
    const { preference } = await tenantOf(store, call.tenantId);
    if (!isTotpAskedAtLogin(user.role, false, preference.staffTotpRequired ?? false)) {
      throw new Refusal("UNAUTHENTICATED", "log in first");
    }
    return user;
  }

  return {
    getUserFactors: (_, call) => view(call),

    async chooseFactors({ password, otp, pin }, call) {
      const user = await caller(call);
      await checks.assertPassword(user, password, call);
      await store.forTenant(call.tenantId).chooseFactors(user._id, { otp, pin });
      return view(call);
    },

    async enrolTotp(request, call) {
      const user = await enrolling(call, request);
      const secret = toBase32(randomBytes(20));
      const sealed = cipher.seal(secret, totpContext(call.tenantId, user._id));
      if (!(await store.forTenant(call.tenantId).setTotp(user._id, { secret: sealed, lastStep: 0 }))) {
        throw new Refusal("STATE_CONFLICT", "an authenticator is in use: remove it first");
      }
      const { name } = await tenantOf(store, call.tenantId);
      const label = `${encodeURIComponent(name)}:${encodeURIComponent(user.email)}`;
      const otpauthUri = `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(name)}`;
      return { secret, otpauthUri };
    },

    async confirmTotp({ otp }, call) {
      const user = await caller(call);
      if (user.factors?.totp === undefined) throw new Refusal("STATE_CONFLICT", "no authenticator is being enrolled");
      await factors.assertOtp(user, otp);
      return view(call);
    },

    async removeTotp({ password, otp }, call) {
      const user = await caller(call);
      if (user.factors?.totp === undefined) throw new Refusal("STATE_CONFLICT", "no authenticator is in use");
      await checks.assertPassword(user, password, call);
      if (otp === "") throw new Refusal("OTP_REQUIRED", "a code of the authenticator is required");
      await factors.assertOtp(user, otp);
      await store.forTenant(call.tenantId).removeTotp(user._id);
      return view(call);
    },

    async setPin({ password, pin }, call) {
      const chosen = parsePin(pin);
      const user = await caller(call);
      await checks.assertPassword(user, password, call);
      await store.forTenant(call.tenantId).setPin(user._id, await hasher.hash(chosen, call.signal));
      return view(call);
    },

    async resetFactors({ userId, reason }, call) {
      const why = parseName(reason, "reason");
      const user = await managedUser(call, userId);
      const ofTenant = store.forTenant(call.tenantId);
      const noted = { at: clock.now(), actor: actorOf(call), action: "factors.reset", subject: user._id, reason: why };
      await inTransaction(
        db,
        async (session) => {
          await ofTenant.resetFactors(user._id, session);
          await ofTenant.noteAudit({ ...noted, interactionId: call.interactionId }, session);
          return true;
        },
        { readBack: async () => undefined },
      );
      return {};
    },

    async requestPaymentCode({ payment, channel }, call) {
      if (payment === undefined) throw invalidInput("payment", "is required");
      const binding = bindingFromWire(payment);
      const user = await caller(call);
      const to = channel === CodeChannel.CODE_CHANNEL_SMS ? (user.customer?.phoneNumber ?? "") : user.email;
      if (channel !== CodeChannel.CODE_CHANNEL_SMS && channel !== CodeChannel.CODE_CHANNEL_EMAIL) {
        throw invalidInput("channel", "must be EMAIL or SMS");
      }
      if (to === "") throw invalidInput("channel", "there is no phone number on file");
      const { tenantId, interactionId } = call;
      const counted = await throttle.begin({ name: `code/${tenantId}/${user._id}`, rule: messageRule });
      await counted.failed();
      const now = clock.now();
      const expiresAt = new Date(now.getTime() + codeLifetimeMs);
      const _id = uuidv7();
      const ofTenant = store.forTenant(tenantId);
      const row = {
        tenantId,
        aggregate: `payment-code:${_id}`,
        seq: 1,
        kind: rowKinds.paymentCode,
        // Neither the code nor the address: both are found by the relay.
        payload: {
          codeId: _id,
          channel: channel === CodeChannel.CODE_CHANNEL_SMS ? "SMS" : "EMAIL",
          amount: `${formatMoney(binding.amount)} ${binding.amount.currency}`,
          payee: binding.payee,
        },
        interactionId,
        actor: user._id,
      };
      const code = { _id, userId: user._id, binding: bindingDigest(binding), tries: 0, createdAt: now, expiresAt };
      try {
        await inTransaction(
          db,
          async (session) => {
            await ofTenant.insertPaymentCode(code, session);
            await outbox.add(row, session);
            return true;
          },
          { readBack: async () => ((await ofTenant.findPaymentCodeById(_id)) ? true : undefined) },
        );
      } catch (error) {
        // Nothing was written (or our client was closed at the commit) and nothing is sent: whoever tries again has not had one yet.
        await counted.takenBack();
        throw error;
      }
      outbox.wake();
      return { expiresAt, sentTo: maskAddress(to) };
    },
  };
}
