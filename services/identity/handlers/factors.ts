import { randomBytes } from "node:crypto";
import type { ClientSession, Connection } from "mongoose";
import { ChangeKind } from "../../../proto/gen/identity/v1/second_factors.js";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { requireUser, type Call } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { formatMoney } from "../../shared/money.js";
import { inTransaction } from "../../shared/mongo/transaction.js";
import type { Outbox } from "../../shared/outbox/index.js";
import { invalidInput, passing, Refusal } from "../../shared/refusal.js";
import { isTotpAskedAtLogin, parsePin } from "../domain/factors.js";
import { takesCodeBy, type ChangeByCode } from "../domain/step-up.js";
import { toBase32 } from "../domain/totp.js";
import { viewOfFactors } from "./factor-view.js";
import type { LoginCheck } from "../credentials/login-check.js";
import type { Notice } from "../domain/messages.js";
import { tell } from "../jobs/notices.js";
import type { PasswordChecks } from "../credentials/password-checks.js";
import type { PasswordHasher } from "../credentials/passwords.js";
import type { FieldCipher } from "../credentials/sealing.js";
import { rowKinds } from "../jobs/relay.js";
import { bindingDigest, changeDigest, totpContext, type SecondFactors } from "../factors/second-factors.js";
import { channelFromWire, type SentCodes } from "../factors/sent-codes.js";
import { acceptedFor, type Presented, type StepUp } from "../factors/step-up.js";
import type { IdentityStore } from "../store/index.js";
import { bindingFromWire } from "./credentials.js";
import { tenantOf } from "./tenants.js";
import type { UserRecord } from "../domain/people.js";

type FactorRpcs =
  | "getUserFactors"
  | "chooseFactors"
  | "enrolTotp"
  | "confirmTotp"
  | "removeTotp"
  | "setPin"
  | "requestPaymentCode"
  | "requestChangeCode";

export function factorHandlers(deps: {
  db: Connection;
  store: IdentityStore;
  outbox: Outbox;
  hasher: PasswordHasher;
  checks: PasswordChecks;
  loginCheck: LoginCheck;
  factors: SecondFactors;
  stepUp: StepUp;
  sentCodes: SentCodes;
  cipher: FieldCipher;
}): Pick<Handlers<IdentityServiceDefinition>, FactorRpcs> {
  const { db, store, outbox, hasher, checks, loginCheck, factors, stepUp, sentCodes, cipher } = deps;

  async function caller(call: Call): Promise<UserRecord> {
    const user = await store.forTenant(call.tenantId).findUser(requireUser(call).userId);
    if (user === null) throw new Refusal("NOT_FOUND", "there is no such user");
    return user;
  }

  const view = (call: Call) => viewOfFactors(store, call);

  /** Refuses unless the password and one of what is enrolled were given. */
  async function assertOwner(
    user: UserRecord,
    change: ChangeByCode,
    given: { password: string; proof: Presented | undefined },
    call: Call,
  ): Promise<void> {
    const { preference } = await tenantOf(store, call.tenantId);
    await stepUp.assertOwner(user, change, { ...given, accepted: acceptedFor(change, user, preference) }, call);
  }

  /** A change and what tells its owner of it, in one commit. */
  async function changed(
    user: UserRecord,
    notice: Notice,
    call: Call,
    work: (session: ClientSession) => Promise<unknown>,
    isDone: (after: UserRecord) => boolean,
  ): Promise<void> {
    await inTransaction(
      db,
      async (session) => {
        await work(session);
        await tell(outbox, call, user, { notice }, session);
        return true;
      },
      {
        readBack: async () => {
          const after = await store.forTenant(call.tenantId).findUser(user._id);
          return after !== null && isDone(after) ? true : undefined;
        },
      },
    );
    outbox.wake();
  }

  /** Who enrols: the user of the call; or staff who cannot log in without an authenticator, by e-mail and password. */
  async function enrolling(
    request: Record<"email" | "password" | "ipAddress", string> & { proof?: Presented | undefined },
    call: Call,
  ) {
    const { email, password, ipAddress, proof } = request;
    if (call.user !== undefined) {
      const user = await caller(call);
      assertNoTotp(user);
      await assertOwner(user, "OTP", { password, proof }, call);
      return user;
    }
    const user = await loginCheck(email, password, ipAddress, call);
    const { preference } = await tenantOf(store, call.tenantId);
    if (!isTotpAskedAtLogin(user.role, false, preference.staffTotpRequired)) {
      throw new Refusal("UNAUTHENTICATED", "log in first");
    }
    return user;
  }

  return {
    getUserFactors: (_, call) => view(call),

    async chooseFactors({ password, otp, pin, proof }, call) {
      const user = await caller(call);
      const before = user.factors?.chosen ?? { otp: false, pin: false };
      const [isOtpOff, isPinOff] = [before.otp && !otp, before.pin && !pin];
      if (isOtpOff) await assertOwner(user, "OTP", { password, proof }, call);
      // A code works once: what switches both off takes the PIN beside it.
      if (isOtpOff && isPinOff) await assertPinToo(user, proof, call);
      else if (isPinOff) await assertOwner(user, "PIN", { password, proof }, call);
      else if (!isOtpOff) await checks.assertPassword(user, password, call);
      const isDone = (after: UserRecord) => after.factors?.chosen?.otp === otp && after.factors.chosen.pin === pin;
      await changed(
        user,
        "FACTORS_CHOSEN",
        call,
        async (session) => {
          const ofTenant = store.forTenant(call.tenantId);
          if (await ofTenant.chooseFactors(user._id, user.factors?.chosen, { otp, pin }, session)) return;
          throw passing("STATE_CONFLICT", "the choice was changed at the same moment");
        },
        isDone,
      );
      return view(call);
    },

    async enrolTotp(request, call) {
      const user = await enrolling(request, call);
      assertNoTotp(user);
      const secret = toBase32(randomBytes(20));
      const sealed = cipher.seal(secret, totpContext(call.tenantId, user._id));
      await changed(
        user,
        "TOTP_BEGUN",
        call,
        async (session) => {
          const totp = { secret: sealed, lastStep: 0 };
          if (!(await store.forTenant(call.tenantId).setTotp(user._id, totp, session))) throw totpInUse();
        },
        (after) => after.factors?.totp?.secret.sealed === sealed.sealed,
      );
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
      await changed(
        user,
        "TOTP_REMOVED",
        call,
        (session) => store.forTenant(call.tenantId).removeTotp(user._id, session),
        (after) => after.factors?.totp === undefined,
      );
      return view(call);
    },

    async setPin({ password, pin, proof }, call) {
      const chosen = parsePin(pin);
      const user = await caller(call);
      await assertOwner(user, "PIN", { password, proof }, call);
      const hash = await hasher.hash(chosen, call.signal);
      await changed(
        user,
        "PIN_SET",
        call,
        async (session) => {
          if (await store.forTenant(call.tenantId).setPin(user._id, user.factors?.pin?.hash, hash, session)) return;
          throw new Refusal("STATE_CONFLICT", "the PIN was changed at the same moment");
        },
        (after) => after.factors?.pin?.hash === hash,
      );
      return view(call);
    },

    async requestPaymentCode({ payment, channel: given }, call) {
      if (payment === undefined) throw invalidInput("payment", "is required");
      const binding = bindingFromWire(payment);
      const channel = channelFromWire(given);
      const payload = { amount: `${formatMoney(binding.amount)} ${binding.amount.currency}`, payee: binding.payee };
      const code = { channel, digest: bindingDigest(binding), kind: rowKinds.paymentCode, payload };
      return sentCodes.send(await caller(call), code, call);
    },

    async requestChangeCode({ change: kind, channel: given }, call) {
      const change = changeFromWire(kind);
      const channel = channelFromWire(given);
      const user = await caller(call);
      const { preference } = await tenantOf(store, call.tenantId);
      if (!takesCodeBy(channel, acceptedFor(change, user, preference))) {
        throw new Refusal("STATE_CONFLICT", `a code sent by ${channel} is not what this change of yours takes`);
      }
      const code = { channel, digest: changeDigest(change, channel), kind: rowKinds.changeCode, payload: { change } };
      return sentCodes.send(user, code, call);
    },
  };

  /** Where the PIN is switched off together with the codes, whose own proof was given already. */
  async function assertPinToo(user: UserRecord, proof: Presented | undefined, call: Call): Promise<void> {
    if (user.factors?.pin === undefined) return;
    if (!proof?.pin) throw new Refusal("PIN_REQUIRED", "switching the PIN off takes the PIN as it is");
    await factors.assertPin(user, proof.pin, call);
  }
}

function changeFromWire(change: ChangeKind): ChangeByCode {
  if (change === ChangeKind.CHANGE_KIND_PIN) return "PIN";
  if (change === ChangeKind.CHANGE_KIND_SECOND_FACTORS) return "OTP";
  if (change === ChangeKind.CHANGE_KIND_CONTACT) return "CONTACT";
  throw invalidInput("change", "must be PIN, SECOND_FACTORS or CONTACT");
}

function assertNoTotp(user: UserRecord): void {
  if (user.factors?.totp?.confirmedAt !== undefined) throw totpInUse();
}

function totpInUse(): Refusal {
  return new Refusal("STATE_CONFLICT", "an authenticator is in use: remove it first");
}
