import { randomUUID } from "node:crypto";
import { password, registration } from "../../../test/support/identity-drafts.js";
import {
  inTenant,
  newTenant,
  startTestIdentity,
  type IdentityClient,
  type TestIdentity,
} from "../../../test/support/identity.js";
import type { ServiceName } from "../../kernel/grpc/context.js";
import { pause } from "../../../test/support/time.js";

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity({ replicas: 2 });
});
afterAll(() => identity.stop());

async function office() {
  const tenant = await newTenant(identity, { selfRegistration: true });
  await tenant.staff("MANAGER");
  await tenant.customer("amina");
  const as = async (name: string) => inTenant(tenant.tenantId, (await tenant.login(name)).accessToken);
  const [manager, amina] = [await as("manager"), await as("amina")];
  const newToken = {
    name: "Reports",
    lifetime: "API_TOKEN_LIFETIME_MONTH" as const,
    scopes: ["profile:read"],
    password,
  };
  const count = (collection: string) =>
    identity.db.collection(collection).countDocuments({ tenantId: tenant.tenantId });
  return { ...tenant, manager, amina, newToken, count };
}
type Office = Awaited<ReturnType<typeof office>>;

interface Case {
  operation: string;
  caller: ServiceName;
  /** Makes the request, to be sent by any replica's client. */
  request: (t: Office) => Promise<(client: IdentityClient) => Promise<unknown>>;
  /** How often it took effect. */
  effects: (t: Office) => Promise<number>;
}

const cases: Case[] = [
  {
    operation: "createStaffUser",
    caller: "gateway",
    async request(t) {
      const staff = { ...registration("new"), role: "ROLE_AGENT" as const, name: "New" };
      return (client) => client.createStaffUser(staff, t.manager);
    },
    effects: async (t) => (await t.count("users")) - 2,
  },
  {
    operation: "registerCustomer",
    caller: "operator",
    async request(t) {
      const customer = registration("kofi");
      return (client) => client.registerCustomer(customer, inTenant(t.tenantId));
    },
    effects: async (t) => (await t.count("users")) - 2,
  },
  {
    operation: "beginRegistration",
    caller: "gateway",
    async request(t) {
      const registering = registration("kofi");
      return (client) => client.beginRegistration(registering, inTenant(t.tenantId));
    },
    effects: (t) => t.count("registrations"),
  },
  {
    operation: "createApiToken",
    caller: "gateway",
    async request(t) {
      const token = { ...t.newToken, idempotencyKey: randomUUID() };
      return (client) => client.createApiToken(token, t.amina);
    },
    effects: (t) => t.count("api_tokens"),
  },
  {
    operation: "rotateApiToken",
    caller: "gateway",
    async request(t) {
      const { apiToken } = await identity.rpc.gateway.createApiToken(
        { ...t.newToken, idempotencyKey: randomUUID() },
        t.amina,
      );
      const rotation = {
        apiTokenId: apiToken!.apiTokenId,
        overlapS: 60,
        idempotencyKey: randomUUID(),
        password,
      };
      return (client) => client.rotateApiToken(rotation, t.amina);
    },
    async effects(t) {
      const token = await identity.db.collection("api_tokens").findOne({ tenantId: t.tenantId });
      return (token!["secrets"] as unknown[]).length - 1;
    },
  },
  {
    operation: "askApproval",
    caller: "remittance",
    async request(t) {
      const requested = {
        idempotencyKey: randomUUID(),
        kind: "REFUND",
        subject: "transaction:1",
        summary: "Refund of 25.00 USD",
        reason: "sent twice",
        payloadJson: "{}",
      };
      return (client) => client.askApproval(requested, t.manager);
    },
    effects: (t) => t.count("approvals"),
  },
  {
    operation: "changeOrganisationPreference",
    caller: "gateway",
    async request(t) {
      const change = {
        idempotencyKey: randomUUID(),
        change: { locale: "en-KE" },
        reason: "new year",
      };
      return (client) => client.changeOrganisationPreference(change, t.manager);
    },
    effects: (t) => t.count("preference_changes"),
  },
  {
    operation: "advanceBusinessDate",
    caller: "operator",
    async request(t) {
      const advance = { days: 1, idempotencyKey: randomUUID() };
      return (client) => client.advanceBusinessDate(advance, inTenant(`${t.tenantId}--sandbox`));
    },
    async effects(t) {
      const sandbox = await identity.db.collection("tenants").findOne({ tenantId: `${t.tenantId}--sandbox` });
      return (sandbox!["businessAheadMs"] as number) / 86_400_000;
    },
  },
];

/**
 * The answer of a client that asks again, after the second that the refusal names, while its
 * request still runs.
 */
async function answerOf(send: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if ((error as { code?: string }).code !== "IDEMPOTENCY_IN_FLIGHT") throw error;
      await pause(1_000);
    }
  }
}

test.each(cases)(
  "$operation: equal requests at once, to two replicas, have one effect and one answer",
  async ({ caller, request, effects }) => {
    const t = await office();
    const send = await request(t);
    const clients = [0, 1].map((replica) => identity.clientOf(caller, replica));
    const answers = await Promise.all(clients.map((client) => answerOf(() => send(client))));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    await expect(effects(t)).resolves.toBe(1);
  },
);
