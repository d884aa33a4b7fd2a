import { createServiceNetwork, type ServiceNetwork } from "../../../test/support/service-network.js";
import { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { createPreferences } from "./preferences.js";
import type { Client } from "../../kernel/grpc/client.js";
import { Refusal } from "../../kernel/refusal.js";
import { takes } from "../../../test/support/time.js";

let network: ServiceNetwork;
let identity: Client<IdentityServiceDefinition>;
const requested: string[] = [];
let answersAfterMs = 0;

beforeAll(async () => {
  network = await createServiceNetwork();
  const address = await network.standIn("identity", IdentityServiceDefinition, {
    async getOrganisationPreference(_request, { tenantId }) {
      requested.push(tenantId);
      if (answersAfterMs > 0) await takes(answersAfterMs);
      if (tenantId === "nobody") throw new Refusal("TENANT_NOT_FOUND", "no such tenant");
      return { tenant: { tenantId, name: `Tenant ${tenantId}` } };
    },
  });
  const port = Number(address.split(":")[1]);
  identity = network.client(IdentityServiceDefinition, "identity", port, "remittance");
});
afterAll(() => network.close());
beforeEach(() => {
  requested.splice(0);
  answersAfterMs = 0;
});

const preferences = (keepForMs?: number) =>
  createPreferences({
    identity,
    read: (tenant) => tenant?.name,
    ...(keepForMs !== undefined && { keepForMs }),
  });
const on = (tenantId: string) => ({ tenantId, interactionId: "i-1" });

test("asks identity once for a while, each tenant by itself, and reads what the service goes by", async () => {
  const cached = preferences();
  expect(await cached.of(on("a"))).toBe("Tenant a");
  expect(await cached.of(on("b"))).toBe("Tenant b");
  expect(await cached.of(on("a"))).toBe("Tenant a");
  expect(requested).toEqual(["a", "b"]);
});

test("asks again when the while is over, and after a refusal", async () => {
  const cached = preferences(0);
  await cached.of(on("a"));
  await cached.of(on("a"));
  expect(requested).toEqual(["a", "a"]);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await expect(preferences().of(on("nobody"))).rejects.toMatchObject({ code: "TENANT_NOT_FOUND" });
  }
  expect(requested).toEqual(["a", "a", "nobody", "nobody"]);
});

test("an answer is as old as its question: one that came late is shared by who waited and kept no longer", async () => {
  answersAfterMs = 300;
  const cached = preferences(200);
  await Promise.all([cached.of(on("a")), cached.of(on("a"))]);
  expect(requested).toEqual(["a"]);
  await cached.of(on("a"));
  expect(requested).toEqual(["a", "a"]);
});
