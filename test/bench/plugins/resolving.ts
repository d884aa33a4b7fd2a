import { setImmediate as nextTurn } from "node:timers/promises";
import { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { PluginServiceDefinition } from "../../../proto/gen/identity/v1/plugins.js";
import { createInstalledConnectors } from "../../../services/remittance/clients/installed-connectors.js";
import { createPayoutPartners } from "../../../services/remittance/clients/payout-partners.js";
import type { Transaction } from "../../../services/remittance/domain/transaction.js";
import { createPinnedExchange } from "../../../services/platform/partners/exchange.js";
import { createInstallations } from "../../../services/platform/plugins/installations.js";
import { createOpenPartners } from "../../../services/platform/plugins/open-partners.js";
import { createServiceNetwork } from "../../support/service-network.js";
import { createStandInPlugins, noFileBanks, noParties } from "../../support/stand-in-plugins.js";
import type { Partners } from "./start-partner.js";

const pluginsEach = 3;

/** What remittance has between a payout and its partner, asking an identity over gRPC. */
async function openResolving({ urlOf }: Partners, tenantIds: readonly string[], keepForMs?: number) {
  const network = await createServiceNetwork();
  const plugins = createStandInPlugins();
  const address = await network.standIn("identity", IdentityServiceDefinition, {}, [plugins.served]);
  const port = Number(address.split(":").at(-1));
  const identity = network.client(PluginServiceDefinition, "identity", port, "remittance");
  for (const tenantId of tenantIds) {
    const all = Array.from({ length: pluginsEach }, (_each, at) => ({
      installationId: `${tenantId}-${at}`,
      url: urlOf("quick"),
      // Only the last one fits.
      routes: [{ receivingCountry: at === pluginsEach - 1 ? "NGA" : "GHA" }],
    }));
    plugins.install(tenantId, ...all);
  }
  const cached = keepForMs === undefined ? {} : { keepForMs };
  const exchange = createPinnedExchange({ resolve: async () => [] });
  const openPartners = createOpenPartners({
    installationsOf: (...kinds) => createInstallations({ identity, kinds, ...cached }),
    exchange,
    allowedOf: () => ["http://127.0.0.1:*"],
    notes: { note: () => undefined },
  });
  const installed = createInstalledConnectors({ openPartners, fileBanks: noFileBanks });
  const partners = createPayoutPartners({ installed, hasDefault: () => false, partiesOf: noParties });
  return {
    partners,
    installed,
    asked: () => plugins.seen.resolved,
    async close() {
      exchange.close();
      await network.close();
    },
  };
}

/**
 * Times of so many decisions where a payout goes, ms, and how often identity was asked meanwhile.
 */
export async function timeResolving(
  at: Partners,
  transaction: Transaction,
  { times, keepForMs }: { times: number; keepForMs?: number },
) {
  const resolving = await openResolving(at, ["t"], keepForMs);
  try {
    const decide = () => resolving.partners.takerOf("t", transaction);
    for (let warm = 0; warm < Math.min(times, 2_000); warm += 1) await decide();
    const before = resolving.asked();
    const tookMs: number[] = [];
    for (let each = 0; each < times; each += 1) {
      // Others' work goes on in a service, too.
      if (each % 100 === 0) await nextTurn();
      const startedAt = performance.now();
      await decide();
      tookMs.push(performance.now() - startedAt);
    }
    return { tookMs, asked: resolving.asked() - before };
  } finally {
    await resolving.close();
  }
}

/**
 * How much the process grows by so many tenants with three plugins each, each of them called. MB.
 */
export async function growthBy(at: Partners, tenants: number) {
  const tenantIds = Array.from({ length: tenants }, (_each, index) => `tenant-${index}`);
  const resolving = await openResolving(at, ["first", ...tenantIds]);
  const callAll = async (tenantId: string) => {
    for (let plugin = 0; plugin < pluginsEach; plugin += 1) {
      const { connector } = await resolving.installed.of(tenantId, `${tenantId}-${plugin}`);
      await connector.find("nothing", { tenantId });
    }
  };
  try {
    for (let warm = 0; warm < 200; warm += 1) await callAll("first");
    const before = sizes();
    for (const tenantId of tenantIds) await callAll(tenantId);
    const after = sizes();
    return { heapMb: after.heapMb - before.heapMb, rssMb: after.rssMb - before.rssMb };
  } finally {
    await resolving.close();
  }
}

function sizes() {
  for (let time = 0; time < 3; time += 1) globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heapMb: (heapUsed + external) / 2 ** 20, rssMb: rss / 2 ** 20 };
}
