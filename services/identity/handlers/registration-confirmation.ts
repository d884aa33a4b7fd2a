import { randomUUID } from "node:crypto";
import type { ClientSession } from "mongoose";
import { v7 as uuidv7 } from "uuid";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import { Refusal } from "../../kernel/refusal.js";
import { detailsViewOf } from "../domain/details-view.js";
import { emailKey, type CustomerRecord } from "../domain/people.js";
import { confirmationSourceRule, type RegistrationRecord } from "../domain/registration.js";
import { isSentCode, sentCodeOf } from "../factors/code-digits.js";
import { codeFailed } from "../factors/contact-changes.js";
import { addPersonChange } from "../jobs/person-changes.js";
import { customerToWire } from "../wire/people.js";
import { registeredRow } from "../wire/event-rows.js";
import { freeCode } from "./new-accounts.js";
import { assertRegistrationOpen } from "./tenant-of.js";
import type { HandlerDeps } from "./deps.js";

/** Makes an account when the code that was sent to its address is entered. */
export function registrationConfirmationHandlers(deps: HandlerDeps) {
  const { db, store, outbox, throttle, keyring, clock } = deps;

  async function confirm(registrationId: string, code: string, call: Call): Promise<CustomerRecord> {
    const ofTenant = store.forTenant(call.tenantId);
    const found = await ofTenant.findRegistration(registrationId);
    if (found === undefined || found.expiresAt <= clock.now()) throw codeFailed();
    const isOpen = found.userId !== undefined || (await ofTenant.beginRegistrationTry(registrationId));
    const expected = sentCodeOf(keyring, "registration", call.tenantId, registrationId);
    if (!isOpen || !isSentCode(expected, code)) throw codeFailed();
    const known = found.userId === undefined ? undefined : await ofTenant.findCustomer({ userId: found.userId });
    if (known !== undefined) return known;
    const made = await makeAccount(found, call).catch((error: unknown) => {
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
      userId,
      email,
      emailKey: emailKey(email),
      name: `${person.firstName} ${person.lastName}`,
      role: "CUSTOMER",
      passwordHash: found.passwordHash,
      customer: { id: randomUUID(), ...person, code: await freeCode(ofTenant), revision: 1 },
      createdAt: clock.now(),
      createdBy: userId,
    };
    // Somebody who entered the same code at the same moment: the answer is theirs, too. Read in the
    // transaction that met them, since others may not see yet what a majority has not.
    const first = async (session: ClientSession) => {
      const { userId: owner } = (await ofTenant.findRegistration(found.registrationId, session)) ?? {};
      const known = owner === undefined ? undefined : await ofTenant.findCustomer({ userId: owner }, session);
      if (known === undefined) throw codeFailed();
      return known;
    };
    return inTransaction(
      db,
      async (session) => {
        if (!(await ofTenant.completeRegistration(found.registrationId, userId, session))) return first(session);
        await ofTenant.insertUser(user, session);
        const origin = { tenantId, interactionId, actor: userId };
        await addPersonChange(outbox, origin, user, { changed: ["REGISTERED"], proven: ["EMAIL"] }, session);
        await outbox.add(registeredRow(origin, user), session);
        return user;
      },
      {
        readBack: async () => {
          const { userId: owner } = (await ofTenant.findRegistration(found.registrationId)) ?? {};
          return owner === undefined ? undefined : await ofTenant.findCustomer({ userId: owner });
        },
      },
    );
  }

  return {
    async confirmRegistration({ registrationId, code, ipAddress }, call) {
      await assertRegistrationOpen(store, call);
      const { tenantId } = call;
      const source = { name: `confirm registration/${tenantId}/${ipAddress}`, rule: confirmationSourceRule };
      const attempt = await throttle.begin(...(ipAddress === "" ? [] : [source]));
      try {
        const customer = await confirm(registrationId, code, call);
        await attempt.passed();
        return { customer: customerToWire(customer, detailsViewOf(call.caller, undefined)) };
      } catch (error) {
        const isGuess = error instanceof Refusal && error.code === "VERIFICATION_FAILED";
        await (isGuess ? attempt.failed() : attempt.withdrawn());
        throw error;
      }
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}
