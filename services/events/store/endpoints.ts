import type { Connection } from "mongoose";
import type { DataKeys, SealedField } from "../../kernel/keys/data-keys.js";
import { perTenant } from "../../kernel/mongo/per-tenant.js";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import type { Endpoint, EndpointSecret } from "../domain/endpoint.js";
import { maxEndpoints } from "../domain/endpoint.js";
import { collections, type Session } from "./collections.js";

type StoredSecret = Omit<EndpointSecret, "secret"> & { sealed: SealedField };
type StoredEndpoint = Omit<Endpoint, "secrets"> & { secrets: StoredSecret[] };

export type EndpointStore = ReturnType<typeof createEndpointStore>;
export type TenantEndpoints = ReturnType<EndpointStore["forTenant"]>;

/** What of an endpoint decides which events it gets. */
export type Subscription = Pick<Endpoint, "endpointId" | "eventTypes" | "status" | "ordered" | "includesConfidential">;

const recordOf = (tenantId: string, secretId: string) => `${tenantId} webhook secret ${secretId}`;

/** Webhook endpoints. Their secrets lie sealed. */
export function createEndpointStore(db: Connection, keys: DataKeys) {
  const all = recordCollection<StoredEndpoint>(db, collections.endpoints);
  return {
    forTenant: perTenant((tenantId: string) => {
      const own = all.forTenant(tenantId);

      async function seal({ secret, ...rest }: EndpointSecret): Promise<StoredSecret> {
        return { ...rest, sealed: await keys.seal(secret, recordOf(tenantId, rest.secretId)) };
      }
      async function open(endpoint: StoredEndpoint): Promise<Endpoint> {
        const opened = endpoint.secrets.map(async ({ sealed, ...rest }) => ({
          ...rest,
          secret: await keys.open(sealed, recordOf(tenantId, rest.secretId)),
        }));
        return {
          ...endpoint,
          rateLimitPerSecond: Number(endpoint.rateLimitPerSecond),
          version: Number(endpoint.version),
          secrets: await Promise.all(opened),
        };
      }

      return {
        async insert({ secrets, ...endpoint }: Endpoint, session: Session): Promise<void> {
          await own.insertOne({ ...endpoint, secrets: await Promise.all(secrets.map(seal)) }, { session });
        },
        async find(endpointId: string, session?: Session): Promise<Endpoint | undefined> {
          const found = await own.findOne({ endpointId }, { session });
          return found && open(found);
        },
        async list(): Promise<Endpoint[]> {
          const found = await own.find({}, { sort: { endpointId: 1 }, limit: maxEndpoints });
          return Promise.all(found.map(open));
        },
        count: (session: Session): Promise<number> => own.count({}, { session }),
        /** Who gets events as they come; one that is disabled gets none. */
        subscriptions: (session: Session): Promise<Subscription[]> =>
          own.find(
            { status: { $ne: "DISABLED" } },
            {
              session,
              limit: maxEndpoints,
              projection: { _id: 0, endpointId: 1, eventTypes: 1, status: 1, ordered: 1, includesConfidential: 1 },
            },
          ),
        /** Throws where it is not as `version` any more: its transaction's snapshot holds it. */
        async put({ secrets, ...endpoint }: Endpoint, session: Session): Promise<Endpoint> {
          const { endpointId, version } = endpoint;
          const next = { ...endpoint, version: version + 1 };
          const stored = { ...next, secrets: await Promise.all(secrets.map(seal)) };
          const $unset = endpoint.statusReason === undefined ? { $unset: { statusReason: true as const } } : {};
          const { matchedCount } = await own.updateOne(
            { endpointId, version },
            { $set: stored, ...$unset },
            { session },
          );
          if (matchedCount !== 1) throw new Error("an endpoint changed inside this transaction's snapshot");
          return { ...next, secrets };
        },
        async remove(endpointId: string, session: Session): Promise<boolean> {
          return (await own.deleteOne({ endpointId }, { session })).deletedCount === 1;
        },
      };
    }),
  };
}
