import { randomUUID } from "node:crypto";
import { asksIdentityAnew } from "./time.js";
import { sandboxIdOf } from "../../services/platform/sandbox/sandbox.js";
import { waitFor } from "./index.js";
import { rateKey, type RateServer } from "./rate-server.js";
import { ada, manager, on } from "./remittance-calls.js";
import type { World } from "./remittance-fixture.js";
import { openTenant } from "./remittance-samples.js";

export const minuteMs = 60_000;
const usdToNgn = { sendCurrency: "USD", receivingCurrency: "NGN" };

const offices: { world: World; tenantId: string }[] = [];

/** Ends the reading of what tests have begun: another test moves time on. */
export async function closeRateOffices(): Promise<void> {
  for (const { world, tenantId } of offices.splice(0)) {
    await world.db.collection("rate_feeds").deleteMany({ tenantId });
  }
}

/**
 * A sandbox with a rate of USD to NGN of 1600, put by hand, and a source of rates that is enabled.
 */
export async function rateOffice(world: World, source: RateServer) {
  const tenantId = await openTenant(world, sandboxIdOf(`t${randomUUID().slice(0, 8)}`));
  offices.push({ world, tenantId });
  const installationId = randomUUID();
  const tenant = world.store.forTenant(tenantId);
  const plugin = (change: object = {}) => ({
    installationId,
    type: "fx-http",
    url: source.url,
    configuration: { everyMinutes: 5, timeoutMs: 1_000 },
    secrets: { apiKey: rateKey },
    routes: [],
    ...change,
  });
  const install = (change: object = {}, ...more: object[]) =>
    world.plugins.install(tenantId, plugin(change), ...more.map(plugin));
  const test = (of = installationId) => world.pluginOwner.testPlugin({ installationId: of }, on(tenantId, manager));
  const tried = async (of = installationId) => (await tenant.findRateFeed(of))?.triedAt?.getTime() ?? 0;
  /** Until it was asked at all, or since a moment. */
  async function untilRead(of = installationId, since = new Date(1)): Promise<void> {
    await waitFor(async () => (await tried(of)) >= since.getTime(), { what: "a reading" });
  }
  install();
  await test();
  return {
    tenantId,
    installationId,
    tenant,
    install,
    /** Until what identity said of plugins before is used no more. */
    known: asksIdentityAnew,
    test,
    tried,
    untilRead,
    source: `plugin:fx-http:${installationId}`,
    /** The next reading, and what came of it. */
    async next(ms = 5 * minuteMs): Promise<void> {
      world.pass(ms + 1_000);
      await untilRead(installationId, world.now());
    },
    feed: () => tenant.findRateFeed(installationId),
    held: () => tenant.findHeldRate(usdToNgn),
    rate: () => tenant.findRate(usdToNgn, world.now()),
    rows: async () => (await tenant.listRates(usdToNgn, { limit: 100 })).map(({ rate }) => rate),
    /** What managers were asked, the newest last. */
    asked: () => world.neighbours.asked.filter((one) => one.tenantId === tenantId),
    async quoted(): Promise<string> {
      const question = {
        sendAmount: "100.00",
        ...usdToNgn,
        originCountry: "US",
        receivingCountry: "NG",
        type: "DELIVERY_METHOD_ACCOUNTPAYMENT" as const,
      };
      return (await world.gateway.createQuote(question, on(tenantId, ada))).quote!.middleRate;
    },
  };
}
