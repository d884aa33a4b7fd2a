import type { ClientSession, Connection } from "mongoose";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Notice } from "../domain/messages.js";
import type { UserRecord } from "../domain/people.js";
import type { ChangeByCode } from "../domain/step-up.js";
import { acceptedFor, type Presented, type StepUp } from "../factors/step-up.js";
import { addNotices } from "../jobs/notices.js";
import type { IdentityStore } from "../store/index.js";
import { tenantOf } from "./tenant-of.js";

/**
 * What every change of a second factor has in common: whose it is, the proof of its owner, and who
 * is told.
 */
export function createFactorChanges(deps: { db: Connection; store: IdentityStore; outbox: Outbox; stepUp: StepUp }) {
  const { db, store, outbox, stepUp } = deps;

  async function caller(call: Call): Promise<UserRecord> {
    const user = await store.forTenant(call.tenantId).findUser(requireUser(call).userId);
    if (user === undefined) throw new Refusal("NOT_FOUND", "there is no such user");
    return user;
  }

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
        await addNotices(outbox, call, user, { notice }, session);
        return true;
      },
      {
        readBack: async () => {
          const after = await store.forTenant(call.tenantId).findUser(user.userId);
          return after !== undefined && isDone(after) ? true : undefined;
        },
      },
    );
    outbox.wake();
  }

  return { caller, assertOwner, changed };
}
