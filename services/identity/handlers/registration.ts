import { randomUUID } from "node:crypto";
import { BeginRegistrationRequest, BeginRegistrationResponse } from "../../../proto/gen/identity/v1/accounts.js";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { dayOf } from "../../kernel/time/calendar-day.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { Refusal } from "../../kernel/refusal.js";
import { emailKey } from "../domain/people.js";
import {
  parseRegistration,
  registrationLifetimeMs,
  registrationSourceRule,
  type RegistrationDetails,
} from "../domain/registration.js";
import { messageRule } from "../domain/throttle-rules.js";
import { registrationRow } from "../jobs/sent-codes.js";
import { assertRegistrationOpen } from "./tenant-of.js";
import type { HandlerDeps } from "./deps.js";

const maxHashing = 8;

/** People who register themselves; registration-confirmation.ts makes the account. */
export function registrationHandlers(deps: HandlerDeps) {
  const { store, runOnce, outbox, hasher, throttle, cipher, clock } = deps;

  let hashing = 0;

  /**
   * Hashes a password, of few at a time: whoever logs in does not wait behind everybody who
   * registers. Refuses OVERLOADED.
   */
  async function hashed(password: string, call: Call): Promise<string> {
    if (hashing >= maxHashing) throw new Refusal("OVERLOADED", "too many registrations at once", { retryAfterS: 1 });
    hashing += 1;
    try {
      return await hasher.hash(password, call.signal);
    } finally {
      hashing -= 1;
    }
  }

  /**
   * Every registration counts, of its source and for its address, whether it is somebody's or not.
   * Refuses RATE_LIMITED.
   */
  async function pace(tenantId: string, ipAddress: string, key: string): Promise<void> {
    const source = { name: `register/${tenantId}/${ipAddress}`, rule: registrationSourceRule };
    const address = { name: `register address/${tenantId}/${key}`, rule: messageRule };
    const counted = await throttle.begin(...(ipAddress === "" ? [] : [source]), address);
    await counted.failed();
  }

  /**
   * The account would be made with the password that was given first, maybe by somebody else who
   * guessed the key. Refuses IDEMPOTENCY_KEY_REUSED.
   */
  async function assertSamePassword(registrationId: string, password: string, call: Call): Promise<void> {
    const found = await store.forTenant(call.tenantId).findRegistration(registrationId);
    if (found?.passwordHash === undefined) return;
    const { ok } = await hasher.verify(found.passwordHash, password, call.signal);
    if (!ok) throw new Refusal("IDEMPOTENCY_KEY_REUSED", "this idempotency key was used for another request");
  }

  return {
    async beginRegistration(request, call) {
      const { requiredDetails: required } = await assertRegistrationOpen(store, call);
      const createdAt = clock.now();
      const { email, customer } = parseRegistration(
        { ...request, details: request.details, customerCode: "" },
        { today: dayOf(createdAt), required },
      );
      const { tenantId, interactionId } = call;
      const key = emailKey(email);
      await pace(tenantId, request.ipAddress, key);
      const passwordHash = await hashed(request.password, call);
      const { code: _code, ...person } = customer;
      const details: RegistrationDetails = { email, ...person };
      const expiresAt = new Date(createdAt.getTime() + registrationLifetimeMs);
      const registrationId = randomUUID();
      const caller = `self:${cipher.lookUp(tenantId, "email", key)}`;
      let isReplayed = false;
      const answer = await runOnce({
        call: { ...call, markReplayed: () => void (isReplayed = true) },
        operation: "beginRegistration",
        request,
        requestType: BeginRegistrationRequest,
        response: BeginRegistrationResponse,
        caller,
        omit: ["password", "ipAddress"],
        secret: true,
        work: async (session) => {
          const registration = { registrationId, details, passwordHash, tries: 0, createdAt, expiresAt };
          await store.forTenant(tenantId).insertRegistration(registration, session);
          const origin = { tenantId, interactionId, actor: call.caller };
          await outbox.add(registrationRow(origin, registrationId), session);
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
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}
