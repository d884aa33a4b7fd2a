import { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { createServiceNetwork, type ServiceNetwork } from "../../../test/support/service-network.js";
import { createBusinessClock, businessTime } from "./business-clock.js";
import type { Client } from "../../kernel/grpc/client.js";
import { Refusal } from "../../kernel/refusal.js";

let network: ServiceNetwork;
let identity: Client<IdentityServiceDefinition>;
const requested: string[] = [];
const clocks = new Map<string, { offsetMs: bigint; timeZone: string }>();

beforeAll(async () => {
  network = await createServiceNetwork();
  const address = await network.standIn("identity", IdentityServiceDefinition, {
    async getTenantClock(_request, { tenantId }) {
      requested.push(tenantId);
      const clock = clocks.get(tenantId);
      if (clock === undefined) throw new Refusal("TENANT_NOT_FOUND", "no such tenant");
      return { clock };
    },
  });
  const port = Number(address.split(":")[1]);
  identity = network.client(IdentityServiceDefinition, "identity", port, "remittance");
});
afterAll(() => network.close());
beforeEach(() => requested.splice(0));

const real = { now: () => new Date("2026-05-01T22:30:00Z") };
const clockOf = (keepForMs?: number) =>
  createBusinessClock({ identity, clock: real, ...(keepForMs !== undefined && { keepForMs }) });

test("is real time for a live tenant, with the day of its time zone", async () => {
  clocks.set("live", { offsetMs: 0n, timeZone: "Africa/Lagos" });
  clocks.set("west", { offsetMs: 0n, timeZone: "America/New_York" });
  const [lagos, york] = [await clockOf().forTenant("live"), await clockOf().forTenant("west")];
  expect(lagos.now()).toEqual(real.now());
  expect(lagos.today().toString()).toBe("2026-05-01");
  expect(
    businessTime({ now: () => new Date("2026-05-01T23:30:00Z") }, 0, "Africa/Lagos")
      .today()
      .toString(),
  ).toBe("2026-05-02");
  expect(york.today().toString()).toBe("2026-05-01");
  expect(york.timeZone).toBe("America/New_York");
});

test("is ahead for a sandbox whose date was moved on", async () => {
  clocks.set("sandbox", { offsetMs: 31n * 86_400_000n, timeZone: "UTC" });
  const time = await clockOf().forTenant("sandbox");
  expect(time.now()).toEqual(new Date("2026-06-01T22:30:00Z"));
  expect(time.today().toString()).toBe("2026-06-01");
});

test("asks identity once for all who come at the same moment and for a while after, per tenant", async () => {
  clocks.set("a", { offsetMs: 0n, timeZone: "UTC" });
  clocks.set("b", { offsetMs: 5n, timeZone: "UTC" });
  const clock = clockOf();
  await Promise.all(Array.from({ length: 20 }, (_, i) => clock.forTenant(i % 2 === 0 ? "a" : "b")));
  await clock.forTenant("a");
  expect(requested.toSorted()).toEqual(["a", "b"]);
});

test("asks again when its time is over, so that a sandbox that is moved on is seen", async () => {
  clocks.set("moved", { offsetMs: 0n, timeZone: "UTC" });
  const clock = clockOf(0);
  await clock.forTenant("moved");
  clocks.set("moved", { offsetMs: 86_400_000n, timeZone: "UTC" });
  expect((await clock.forTenant("moved")).today().toString()).toBe("2026-05-02");
});

test("refuses what identity refuses, and does not remember that", async () => {
  const clock = clockOf();
  await expect(clock.forTenant("new")).rejects.toMatchObject({ code: "TENANT_NOT_FOUND" });
  clocks.set("new", { offsetMs: 0n, timeZone: "UTC" });
  await expect(clock.forTenant("new")).resolves.toMatchObject({ timeZone: "UTC" });
});
