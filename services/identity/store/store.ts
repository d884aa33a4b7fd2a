import type { ClientSession, Connection } from "mongoose";
import { Refusal } from "../../shared/refusal.js";
import { isDuplicateKey } from "../../shared/mongo/transaction.js";
import { tenantCollection } from "../../shared/mongo/tenant-collection.js";
import { createAcrossTenantsStore, type AcrossTenantsStore } from "./across-tenants.js";
import type {
  CustomerDocument,
  HostDocument,
  RevocationDocument,
  SessionDocument,
  TenantDocument,
  UserDocument,
} from "./documents.js";

/** A field of the customer that is unique in its tenant, or the user who logs in as them. */
export type CustomerKey = { customerId: string } | { customerCode: string } | { userId: string };

/** One link of a family's chain, as the compare-and-set writes it. */
export interface RotatedLink {
  rotatedAt: Date;
  idleUntil: Date;
  accessKeyId: string;
}

export type IdentityStore = ReturnType<typeof createIdentityStore>;
export type TenantStore = ReturnType<IdentityStore["forTenant"]>;

/** Identity's database. Everything a tenant owns is reached through `forTenant`. */
export function createIdentityStore(db: Connection) {
  const tenants = tenantCollection<TenantDocument>(db, "tenants");
  const hosts = tenantCollection<HostDocument>(db, "hosts");
  const users = tenantCollection<UserDocument>(db, "users");
  const sessions = tenantCollection<SessionDocument>(db, "sessions");
  const revocations = tenantCollection<RevocationDocument>(db, "revocations");
  const across = createAcrossTenantsStore(db);

  return {
    across,
    forTenant: (tenantId: string) => ({
      ...tenantPart(tenants.forTenant(tenantId), hosts.forTenant(tenantId), across, tenantId),
      ...peoplePart(users.forTenant(tenantId)),
      ...sessionPart(sessions.forTenant(tenantId), revocations.forTenant(tenantId)),
    }),
  };
}

type Tenants<T extends { tenantId: string }> = ReturnType<ReturnType<typeof tenantCollection<T>>["forTenant"]>;

function tenantPart(
  tenants: Tenants<TenantDocument>,
  hosts: Tenants<HostDocument>,
  across: AcrossTenantsStore,
  tenantId: string,
) {
  return {
    findTenant: (session?: ClientSession) => tenants.findOne({ _id: tenantId }, { session }),

    /** Writes the tenant and exactly its hosts. Refuses ALREADY_EXISTS for a host of another tenant. */
    async putTenant(
      tenant: Omit<TenantDocument, "_id" | "tenantId" | "createdAt">,
      session: ClientSession,
    ): Promise<TenantDocument> {
      const wanted = tenant.hosts;
      const taken = await across.listHosts(wanted, session);
      const foreign = taken.find((host) => host.tenantId !== tenantId);
      if (foreign) throw new Refusal("ALREADY_EXISTS", `host ${foreign._id} belongs to another tenant`);
      await hosts.deleteMany({ _id: { $nin: wanted } }, { session });
      const known = new Set(taken.map((host) => host._id));
      await hosts.insertMany(
        wanted.filter((host) => !known.has(host)).map((host) => ({ _id: host })),
        { session },
      );
      const put = await tenants.findOneAndUpdate(
        { _id: tenantId },
        { $set: tenant, $setOnInsert: { createdAt: tenant.updatedAt } },
        { session, upsert: true, returnDocument: "after" },
      );
      return put!;
    },
  };
}

function peoplePart(users: Tenants<UserDocument>) {
  return {
    findUser: (userId: string, session?: ClientSession) => users.findOne({ _id: userId }, { session }),
    findUserByEmail: (emailKey: string) => users.findOne({ emailKey }),

    /** Refuses ALREADY_EXISTS for an e-mail or customer code that is taken in the tenant. */
    async insertUser(user: Omit<UserDocument, "tenantId">, session: ClientSession): Promise<void> {
      try {
        await users.insertOne(user, { session });
      } catch (error) {
        throw duplicateRefusal(error) ?? error;
      }
    },

    /** Replaces a password hash, unless it has changed since it was read. */
    async replacePasswordHash(userId: string, from: string, to: string): Promise<void> {
      await users.updateOne({ _id: userId, passwordHash: from }, { $set: { passwordHash: to } });
    },

    findCustomer: (key: CustomerKey): Promise<CustomerDocument | null> => {
      const filter =
        "customerId" in key
          ? { "customer.id": key.customerId }
          : "customerCode" in key
            ? { "customer.code": key.customerCode }
            : { _id: key.userId, role: "CUSTOMER" as const };
      return users.findOne(filter) as Promise<CustomerDocument | null>;
    },

    /** Customers in the order of their ids, after the given one; all of the tenant where no agent is named. */
    listCustomers: (
      agentId: string | undefined,
      { after, limit }: { after: string; limit: number },
    ): Promise<CustomerDocument[]> =>
      users.find(
        { "customer.id": { $gt: after }, ...(agentId === undefined ? {} : { "customer.agentId": agentId }) },
        { sort: { "customer.id": 1 }, limit },
      ) as Promise<CustomerDocument[]>,
  };
}

function sessionPart(sessions: Tenants<SessionDocument>, revocations: Tenants<RevocationDocument>) {
  return {
    insertSession: (session: Omit<SessionDocument, "tenantId">) => sessions.insertOne(session),
    findSession: (sessionId: string) => sessions.findOne({ _id: sessionId }),

    /** The compare-and-set of hard rule 22: true for the one who moved the family on from this counter. */
    async advanceSession(sessionId: string, from: number, link: RotatedLink): Promise<boolean> {
      const { modifiedCount } = await sessions.updateOne(
        { _id: sessionId, counter: from, revokedAt: { $exists: false } },
        { $set: { ...link, counter: from + 1 } },
      );
      return modifiedCount === 1;
    },

    /** Ends the family; the first reason stays. */
    async endSession(sessionId: string, at: Date, because: string, session: ClientSession): Promise<void> {
      await sessions.updateOne(
        { _id: sessionId, revokedAt: { $exists: false } },
        { $set: { revokedAt: at, revokedBecause: because } },
        { session },
      );
    },

    /** Notes a revocation that Redis has yet to be told of. A later one of the same subject moves the time on. */
    async putRevocation(
      revocation: Omit<RevocationDocument, "tenantId" | "mirrored">,
      session?: ClientSession,
    ): Promise<void> {
      const { _id, issuedBefore, expiresAt, kind, subjectId } = revocation;
      await revocations.updateOne(
        { _id },
        { $max: { issuedBefore, expiresAt }, $set: { mirrored: false }, $setOnInsert: { kind, subjectId } },
        { upsert: true, session },
      );
    },
    findRevocation: (id: string) => revocations.findOne({ _id: id }),
  };
}

const takenMessages: Record<string, string> = {
  emailKey: "this e-mail address is registered already",
  "customer.code": "this customer code is taken already",
};

function duplicateRefusal(error: unknown): Refusal | undefined {
  if (!isDuplicateKey(error)) return undefined;
  const keyPattern = (error as { keyPattern?: Record<string, unknown> }).keyPattern ?? {};
  const field = Object.keys(keyPattern).find((path) => takenMessages[path] !== undefined);
  return field === undefined ? undefined : new Refusal("ALREADY_EXISTS", takenMessages[field]!);
}
