import { ComplianceServiceDefinition, type NotePersonChangeRequest } from "../../proto/gen/compliance/v1/compliance.js";
import { startGrpcServer } from "../../services/kernel/grpc/server.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { createServiceTokenVerifier } from "../../services/kernel/tokens/service-tokens.js";
import { registration } from "./identity-drafts.js";
import { inTenant, newTenant, startTestIdentity, type TestIdentity, type TestIdentityOptions } from "./identity.js";

const { notePersonChange } = ComplianceServiceDefinition.methods;
const definition = { ...ComplianceServiceDefinition, methods: { notePersonChange } } as const;

/** Identity with a compliance that keeps what it is told of people. */
export async function startTellingIdentity(options: Omit<TestIdentityOptions, "startNeighbours"> = {}) {
  const published: (NotePersonChangeRequest & { tenantId: string })[] = [];
  /** Of whom nothing has changed. */
  const introduced: typeof published = [];
  /** Customers of whom compliance cannot be told. */
  const refused = new Set<string>();
  let stopCompliance = () => Promise.resolve();
  const identity = await startTestIdentity({
    ...options,
    async startNeighbours({ keys, log }) {
      const server = await startGrpcServer<typeof definition>({
        service: "compliance",
        definition,
        access: { notePersonChange: { callers: ["identity"] } },
        handlers: {
          async notePersonChange(request, { tenantId }) {
            if (refused.has(request.customerId)) throw new Refusal("INVALID_INPUT", "no such call");
            (request.revision === 0 ? introduced : published).push({ ...request, tenantId });
            return {};
          },
        },
        host: "127.0.0.1",
        port: 0,
        verifyServiceToken: createServiceTokenVerifier({ self: "compliance", jwks: keys.jwks }),
        verifyUserToken: () => Promise.reject(new Error("no user has a part in it")),
        log,
      });
      stopCompliance = () => server.stop(100);
      return { COMPLIANCE_ADDRESS: `127.0.0.1:${server.port}` };
    },
  });
  async function stop() {
    await identity.stop();
    await stopCompliance();
  }
  return { identity, told: published, introduced, refused, stop };
}

/** The calendar day that lies so many years and days from today, UTC. */
export const day = (years: number, days = 0) => {
  const today = new Date().toISOString().slice(0, 10);
  return Temporal.PlainDate.from(today).add({ years }).add({ days }).toString();
};
export const passport = { type: "PASSPORT", number: "A01234567", country: "NG", expiresAt: day(5), gender: "FEMALE" };
export const address = {
  lines: ["4 Zubair Lane", "Ikoyi"],
  city: "Lagosville",
  region: "",
  postalCode: "101 233",
  country: "NG",
};
export const details = {
  dateOfBirth: "1990-04-30",
  placeOfBirth: { city: "Kanoport", country: "NG" },
  nationality: "NG",
  address,
  identityDocuments: [passport],
};
/** The same as identity keeps it. */
export const stored = {
  ...details,
  nationality: "NGA",
  placeOfBirth: { city: "Kanoport", country: "NGA" },
  address: { ...address, country: "NGA" },
  identityDocuments: [{ ...passport, country: "NGA", seenBy: "" }],
};

export type Details = Partial<Omit<typeof details, "address" | "placeOfBirth">> & {
  address?: Partial<typeof address>;
  placeOfBirth?: { city?: string; country?: string };
};

/** A tenant with staff, and customers with details. */
export async function officeOf(identity: TestIdentity, change: Parameters<typeof newTenant>[1] = {}) {
  const t = await newTenant(identity, change);
  const { tenantId } = t;
  const agent = await t.staff("AGENT");
  await t.staff("MANAGER");
  await t.staff("CASHIER");
  const as = async (name: string) => inTenant(tenantId, (await t.login(name)).accessToken);
  const register = async (name: string, given: Details | undefined = details, call = inTenant(tenantId)) => {
    const client = call.userToken === undefined ? identity.rpc.operator : identity.rpc.gateway;
    const { customer } = await client.registerCustomer({ ...registration(name), details: given }, call);
    return customer!;
  };
  const update = async (who: string, given: Details, userId = "") =>
    (await identity.rpc.gateway.updateProfile({ userId, details: given }, await as(who))).profile!.customer!.details;
  const changes = async (id: string) => {
    const rows = await identity.db
      .collection("outbox")
      .find({ aggregate: `person:${id}` })
      .sort({ seq: 1 })
      .toArray();
    return rows.map(({ seq, payload }) => [seq, payload.changed]);
  };
  return { ...t, agent, as, register, update, news: changes };
}

/** Faults by their paths, in their order. */
export const faultsAt = (...paths: string[]) =>
  expect.objectContaining({
    code: "INVALID_INPUT",
    details: { errors: paths.map((path) => expect.objectContaining({ path })) },
  });
