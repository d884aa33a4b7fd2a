import { randomUUID } from "node:crypto";
import type { Connection } from "mongoose";
import { v7 as uuidv7 } from "uuid";
import { BeginRegistrationRequest, BeginRegistrationResponse } from "../../../proto/gen/identity/v1/accounts.js";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import type { Clock } from "../../shared/clocks/clock.js";
import type { Call } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { fingerprintOf, runIdempotent, type Idempotency } from "../../shared/idempotency/index.js";
import { inTransaction } from "../../shared/mongo/transaction.js";
import type { Outbox } from "../../shared/outbox/index.js";
import { Refusal } from "../../shared/refusal.js";
import { codeFailed } from "../factors/contact-changes.js";
import { emailKey, type CustomerRecord } from "../domain/people.js";
import {
  confirmationSourceRule,
  registrationLifetimeMs,
  registrationSourceRule,
  type RegistrationDetails,
  type RegistrationRecord,
} from "../domain/registration.js";
import { messageRule } from "../domain/throttle-rules.js";
import type { Keyring } from "../credentials/keyring.js";
import type { PasswordHasher } from "../credentials/passwords.js";
import type { FieldCipher } from "../credentials/sealing.js";
import { tellCompliance } from "../jobs/person-changes.js";
import { rowKinds } from "../jobs/relay.js";
import { isSentCode, sentCodeOf } from "../factors/second-factors.js";
import type { IdentityStore } from "../store/index.js";
import type { Throttle } from "../credentials/throttle.js";
import { customerToWire } from "../wire/customers.js";
import { freeCode, parseRegistration } from "./customers.js";
import { tenantOf } from "./tenants.js";

const maxHashing = 8;

/** People who register themselves: an account is made when the code that was sent to its address is entered. */
export function registrationHandlers(deps: {
  db: Connection;
  store: IdentityStore;
  idempotency: Idempotency;
  outbox: Outbox;
  hasher: PasswordHasher;
  throttle: Throttle;
  keyring: Keyring;
  cipher: FieldCipher;
  clock: Clock;
}): Pick<Handlers<IdentityServiceDefinition>, "beginRegistration" | "confirmRegistration"> {
  const { db, store, idempotency, outbox, hasher, throttle, keyring, cipher, clock } = deps;

  let hashing = 0;

  /** Hashes a password, of few at a time: whoever logs in does not wait behind everybody who registers. Refuses OVERLOADED. */
  async function hashed(password: string, call: Call): Promise<string> {
    if (hashing >= maxHashing) throw new Refusal("OVERLOADED", "too many registrations at once", { retryAfterS: 1 });
    hashing += 1;
    try {
      return await hasher.hash(password, call.signal);
    } finally {
      hashing -= 1;
    }
  }

  async function assertOpen(call: Call): Promise<void> {
    const { preference } = await tenantOf(store, call.tenantId);
    if (!preference.selfRegistration) throw new Refusal("FORBIDDEN", "people do not register themselves here");
  }

  /** Every registration counts, of its source and for its address, whether it is somebody's or not. Refuses RATE_LIMITED. */
  async function pace(tenantId: string, ipAddress: string, key: string): Promise<void> {
    const source = { name: `register/${tenantId}/${ipAddress}`, rule: registrationSourceRule };
    const address = { name: `register address/${tenantId}/${key}`, rule: messageRule };
    const counted = await throttle.begin(...(ipAddress === "" ? [] : [source]), address);
    await counted.failed();
  }

  return {
    async beginRegistration(request, call) {
      await assertOpen(call);
      const { email, customer } = parseRegistration({ ...request, customerCode: "" });
      const { tenantId, interactionId } = call;
      const key = emailKey(email);
      await pace(tenantId, request.ipAddress, key);
      const passwordHash = await hashed(request.password, call);
      const { firstName, lastName, phoneNumber, country } = customer;
      const details: RegistrationDetails = { email, firstName, lastName, phoneNumber, country };
      const createdAt = clock.now();
      const expiresAt = new Date(createdAt.getTime() + registrationLifetimeMs);
      const registrationId = randomUUID();
      const caller = `self:${cipher.lookUp(tenantId, "email", key)}`;
      let isReplayed = false;
      const answer = await runIdempotent({
        db,
        idempotency,
        call: { ...call, markReplayed: () => void (isReplayed = true) },
        scope: { tenantId, caller, operation: "beginRegistration", key: request.idempotencyKey },
        secret: true,
        fingerprint: fingerprintOf(BeginRegistrationRequest, request, ["idempotencyKey", "password", "ipAddress"]),
        response: BeginRegistrationResponse,
        work: async (session) => {
          const registration = { _id: registrationId, details, passwordHash, tries: 0, createdAt, expiresAt };
          await store.forTenant(tenantId).insertRegistration(registration, session);
          const row = { tenantId, interactionId, actor: call.caller, seq: 1, kind: rowKinds.registration };
          await outbox.add(
            { ...row, aggregate: `registration:${registrationId}`, payload: { registrationId } },
            session,
          );
          return { registrationId, expiresAt };
        },
      });
      if (isReplayed) {
        await assertSamePassword(answer.registrationId, request.password, call);
        call.markReplayed();
      }
      outbox.wake();
      return answer;
    },

    async confirmRegistration({ registrationId, code, ipAddress }, call) {
      await assertOpen(call);
      const { tenantId } = call;
      const source = { name: `confirm registration/${tenantId}/${ipAddress}`, rule: confirmationSourceRule };
      const attempt = await throttle.begin(...(ipAddress === "" ? [] : [source]));
      try {
        const customer = await confirm(registrationId, code, call);
        await attempt.passed();
        return { customer: customerToWire(customer) };
      } catch (error) {
        const isGuess = error instanceof Refusal && error.code === "VERIFICATION_FAILED";
        await (isGuess ? attempt.failed() : attempt.withdrawn());
        throw error;
      }
    },
  };

  /**
   * The account would be made with the password that was given first, maybe by somebody else who guessed the key. Refuses
   * IDEMPOTENCY_KEY_REUSED.
   */
  async function assertSamePassword(registrationId: string, password: string, call: Call): Promise<void> {
    const found = await store.forTenant(call.tenantId).findRegistration(registrationId);
    if (found?.passwordHash === undefined) return;
    const { ok } = await hasher.verify(found.passwordHash, password, call.signal);
    if (!ok) throw new Refusal("IDEMPOTENCY_KEY_REUSED", "this idempotency key was used for another request");
  }

  async function confirm(registrationId: string, code: string, call: Call): Promise<CustomerRecord> {
    const ofTenant = store.forTenant(call.tenantId);
    const found = await ofTenant.findRegistration(registrationId);
    if (found === null || found.expiresAt <= clock.now()) throw codeFailed();
    const isOpen = found.userId !== undefined || (await ofTenant.beginRegistrationTry(registrationId));
    const expected = sentCodeOf(keyring, "registration", call.tenantId, registrationId);
    if (!isOpen || !isSentCode(expected, code)) throw codeFailed();
    const known = found.userId === undefined ? null : await ofTenant.findCustomer({ userId: found.userId });
    if (known !== null) return known;
    const made = await makeAccount(found, call).catch(async (error: unknown) => {
      // Somebody who entered the same code at the same moment was first: the answer is theirs, too.
      const { userId } = (await ofTenant.findRegistration(registrationId)) ?? {};
      const first = userId === undefined ? null : await ofTenant.findCustomer({ userId });
      if (first !== null) return first;
      // Its address was never sent a code: whoever guessed one learns nothing.
      throw error instanceof Refusal && error.code === "ALREADY_EXISTS" ? codeFailed() : error;
    });
    outbox.wake();
    return made;
  }

  async function makeAccount(found: RegistrationRecord, call: Call): Promise<CustomerRecord> {
    const { tenantId, interactionId } = call;
    const ofTenant = store.forTenant(tenantId);
    const details = ofTenant.openRegistration(found);
    if (details === undefined || found.passwordHash === undefined) throw codeFailed();
    const { email, ...person } = details;
    const userId = uuidv7();
    const user: CustomerRecord = {
      _id: userId,
      tenantId,
      email,
      emailKey: emailKey(email),
      name: `${person.firstName} ${person.lastName}`,
      role: "CUSTOMER",
      passwordHash: found.passwordHash,
      customer: { id: randomUUID(), ...person, code: await freeCode(ofTenant), revision: 1 },
      createdAt: clock.now(),
      createdBy: userId,
    };
    return inTransaction(
      db,
      async (session) => {
        if (!(await ofTenant.completeRegistration(found._id, userId, session))) throw codeFailed();
        await ofTenant.insertUser(user, session);
        await tellCompliance(outbox, { tenantId, interactionId, actor: userId }, user, { proven: ["EMAIL"] }, session);
        return user;
      },
      { readBack: async () => ((await ofTenant.findUser(userId)) === null ? undefined : user) },
    );
  }
}
