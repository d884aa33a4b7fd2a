import { randomUUID } from "node:crypto";
import type { ClientSession, Connection } from "mongoose";
import { v7 as uuidv7 } from "uuid";
import { bytesOf } from "../../kernel/mongo/bytes.js";
import { createHeldTenants } from "../../kernel/mongo/held-tenants.js";
import { acrossTenants, tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import type { StoredVerification } from "../domain/verification.js";
import { collections, type VerificationDocument, type VerificationStateDocument } from "./collections.js";
import { documentId } from "./mapping.js";

/** A verification that this process works on until its lease runs out. */
export interface LeasedVerification {
  readonly tenantId: string;
  readonly verificationId: string;
  readonly startedAt: Date;
  readonly token: string;
  /** Tries in a row that got no further, this one among them. */
  readonly failures: number;
  readonly state?: StateRef;
}

type StateRef = NonNullable<VerificationDocument["state"]>;
type Place = Pick<StoredVerification, "pass" | "checkedSeq" | "lastSeq" | "headHash">;
type Ending = Place & Pick<StoredVerification, "faults"> & { endedAt: Date };

/** The lease was somebody else's by then: what was to be written was not. */
export class VerificationLost extends Error {
  override readonly name = "VerificationLost";
}

export type VerificationStore = ReturnType<typeof createVerificationStore>;

// Half of what a document of MongoDB may weigh.
const partBytes = 8_000_000;
// The server's clock counts on both sides, since those of two replicas may differ.
const leaseIsFree = { $expr: { $lte: ["$leasedUntil", "$$NOW"] } };

/** Verifications that were asked for, and what the next piece of each goes on with. */
export function createVerificationStore(db: Connection) {
  const ofTenant = tenantCollection<VerificationDocument>(db, collections.verifications);
  const statesOf = tenantCollection<VerificationStateDocument>(db, collections.verificationStates);
  // Of the server's clock, which a tenant's own updates cannot name.
  const leases = acrossTenants<VerificationDocument>(db, collections.verifications, "leases of verifications");
  const held = createHeldTenants(db, collections.verifications);
  const mine = ({ tenantId, verificationId, token }: LeasedVerification) => ({
    _id: documentId(tenantId, verificationId),
    tenantId,
    status: "RUNNING" as const,
    leaseToken: token,
  });

  async function change(leased: LeasedVerification, update: object): Promise<void> {
    const { matchedCount } = await leases.updateOne(mine(leased), update as never);
    if (matchedCount !== 1) throw new VerificationLost();
  }

  return {
    forTenant: (tenantId: string) => tenantVerifications(ofTenant.forTenant(tenantId), tenantId),

    /**
     * The one that waits longest and nobody works on, for this process; undefined for none. It
     * counts as a try at once, since who is killed by what it reads says nothing afterwards.
     */
    async take(leaseMs: number): Promise<LeasedVerification | undefined> {
      const waiting = { ...(await held.otherTenants()), status: "RUNNING" as const, ...leaseIsFree };
      const [next] = await leases.find(waiting, { sort: { leasedUntil: 1 }, limit: 1, projection: { tenantId: 1 } });
      if (next === undefined) return undefined;
      const token = randomUUID();
      const failures = { $add: ["$failures", 1] };
      const taken = { leaseToken: token, leasedUntil: { $add: ["$$NOW", leaseMs] }, failures };
      const free = { _id: next._id, tenantId: next.tenantId, status: "RUNNING" as const, ...leaseIsFree };
      const found = await leases.findOneAndUpdate(free, [{ $set: taken }] as never, { returnDocument: "after" });
      if (found === null) return undefined;
      const { tenantId, verificationId, startedAt, state } = found;
      const leased = { tenantId, verificationId, startedAt, failures: found.failures, token };
      return state === undefined ? leased : { ...leased, state };
    },

    /** Throws VerificationLost. */
    renew: (leased: LeasedVerification, leaseMs: number): Promise<void> =>
      change(leased, [{ $set: { leasedUntil: { $add: ["$$NOW", leaseMs] } } }]),

    /** What it goes on with; undefined where there is none, or not all of it. */
    async readState({ tenantId, state }: LeasedVerification): Promise<Uint8Array | undefined> {
      if (state === undefined) return undefined;
      const ids = partIds(tenantId, state);
      const parts = await statesOf.forTenant(tenantId).find({ _id: { $in: ids } });
      const byId = new Map(parts.map(({ _id, content }) => [_id, bytesOf(content)]));
      if (byId.size !== ids.length) return undefined;
      return Buffer.concat(ids.map((id) => byId.get(id)!));
    },

    /**
     * Keeps what the next piece goes on with, which is a first try again. The row leads to it in
     * one write, so whoever is killed leaves the one before. Throws VerificationLost.
     */
    async save(leased: LeasedVerification, place: Place, bytes: Uint8Array): Promise<LeasedVerification> {
      const { tenantId, verificationId } = leased;
      const state: StateRef = { id: randomUUID(), parts: Math.ceil(bytes.length / partBytes) };
      const states = statesOf.forTenant(tenantId);
      for (const [at, _id] of partIds(tenantId, state).entries()) {
        const content = bytes.subarray(at * partBytes, (at + 1) * partBytes);
        await states.insertOne({ _id, verificationId, stateId: state.id, content });
      }
      await change(leased, { $set: { ...place, state, failures: 1 } });
      // Nothing but what it replaced: whoever has the lease by now may
      // be writing parts of the next.
      if (leased.state !== undefined) await states.deleteMany({ verificationId, stateId: leased.state.id });
      return { ...leased, state, failures: 1 };
    },

    /** Ends it with what was found. Throws VerificationLost. */
    async end(leased: LeasedVerification, ending: Ending): Promise<void> {
      const status = ending.faults.length === 0 ? ("PASSED" as const) : ("FAILED" as const);
      await change(leased, { $set: { ...ending, status }, $unset: { state: "" } });
      await statesOf.forTenant(leased.tenantId).deleteMany({ verificationId: leased.verificationId });
    },

    /**
     * Leaves it to others, at once or after a time; only a try that failed stays
     * counted. Throws VerificationLost.
     */
    giveBack: (leased: LeasedVerification, { afterMs = 0, hasFailed = false } = {}): Promise<void> =>
      change(leased, [
        {
          $set: {
            leasedUntil: { $add: ["$$NOW", afterMs] },
            leaseToken: "",
            failures: { $subtract: ["$failures", hasFailed ? 0 : 1] },
          },
        },
      ]),
  };
}

function tenantVerifications(
  verifications: ReturnType<ReturnType<typeof tenantCollection<VerificationDocument>>["forTenant"]>,
  tenantId: string,
) {
  return {
    /**
     * Begins one, to be worked on at once by whoever takes it. A second
     * one that runs is a duplicate key.
     */
    async begin(startedBy: string, startedAt: Date, session?: ClientSession): Promise<StoredVerification> {
      const verificationId = uuidv7();
      const nothing = { pass: 1, checkedSeq: 0n, lastSeq: 0n, faults: [] };
      const row = { verificationId, status: "RUNNING" as const, startedAt, startedBy, ...nothing };
      const lease = { leaseToken: "", leasedUntil: new Date(0), failures: 0 };
      await verifications.insertOne({ _id: documentId(tenantId, verificationId), ...row, ...lease }, { session });
      return row;
    },

    async isRunning(session?: ClientSession): Promise<boolean> {
      return (await verifications.findOne({ status: "RUNNING" }, { hint: "one_running", session })) !== null;
    },

    async find(verificationId: string): Promise<StoredVerification | undefined> {
      const document = await verifications.findOne({ _id: documentId(tenantId, verificationId) });
      return document === null ? undefined : verificationFromDocument(document);
    },

    /** The newest first, from one before `beforeId`. */
    async list(beforeId: string | undefined, limit: number): Promise<StoredVerification[]> {
      const filter = beforeId === undefined ? {} : { verificationId: { $lt: beforeId } };
      const page = { sort: { verificationId: -1 }, limit, hint: "newest" } as const;
      return (await verifications.find(filter, page)).map(verificationFromDocument);
    },
  };
}

function partIds(tenantId: string, { id, parts }: StateRef): string[] {
  return Array.from({ length: parts }, (_, at) => documentId(tenantId, `${id}:${at}`));
}

function verificationFromDocument(document: VerificationDocument): StoredVerification {
  const { endedAt, headHash } = document;
  return {
    verificationId: document.verificationId,
    status: document.status,
    startedAt: document.startedAt,
    startedBy: document.startedBy,
    pass: document.pass,
    checkedSeq: document.checkedSeq,
    lastSeq: document.lastSeq,
    faults: document.faults,
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(headHash === undefined ? {} : { headHash: bytesOf(headHash) }),
  };
}
