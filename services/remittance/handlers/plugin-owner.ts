import type { PluginServiceDefinition } from "../../../proto/gen/identity/v1/plugins.js";
import type { PluginOwnerServiceDefinition } from "../../../proto/gen/plugins/v1/owner.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import { systemClock } from "../../kernel/time/clock.js";
import type { Client } from "../../kernel/grpc/client.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { verifyCallback } from "../../platform/partners/callback-signature.js";
import { certify } from "../../platform/certification/index.js";
import { isCertificationReference } from "../../platform/certification/test-partner.js";
import type { Installation, Installations } from "../../platform/plugins/installations.js";
import type { OpenedPlugins } from "../../platform/plugins/open-plugins.js";
import { createTestRuns, existingPlugin, type PluginCheck } from "../../platform/plugins/test-runs.js";
import { payoutContractOf } from "../../platform/plugins/payout-version.js";
import { certificationTargetOf, noTestSystem, testSystemOf } from "../../platform/plugins/test-system.js";
import { pluginTypeOf } from "../../platform/plugins/types/index.js";
import { checkRateSource } from "../clients/rate-checks.js";
import type { RateSources } from "../clients/rate-sources.js";
import type { FileBanks } from "../clients/bank-files/index.js";
import { placeText, unservedPlaces } from "../domain/payout-routes.js";
import type { PayoutPlace } from "../domain/payout-routes.js";
import type { RemittanceStore } from "../store/index.js";
import { callbackFromWire, createCallbackTaking, type CallbackDeps } from "./callback-taking.js";

type PluginOwnerDeps = CallbackDeps &
  Pick<OpenedPlugins, "exchange" | "allowedOf"> & {
    /** Where partners call back, without a path; empty asks for no callbacks. */
    callbackBaseUrl: string;
    installations: Installations;
    plugins: Pick<Client<PluginServiceDefinition>, "notePluginTest">;
    fileBanks: Pick<FileBanks, "isOne" | "check">;
    /** Whether the operator's default serves the tenant. */
    hasDefault: (tenantId: string) => boolean;
    /** How long after its first test it is looked after a partner, ms. */
    watchAfterMs: number;
    sources: Pick<RateSources, "get">;
    times: BusinessClock;
  };

const rememberTestCallbackMs = 60 * 60_000;
const dayMs = 24 * 60 * 60_000;

/** What has to be done where a tenant's own payout partners, and sources of rates, are called. */
export function pluginOwnerHandlers(deps: PluginOwnerDeps) {
  const { store, plugins, installations, clock, watchAfterMs, hasDefault } = deps;
  const runs = createTestRuns({
    installations,
    plugins,
    async checksOf(installation, tenantId) {
      const kind = pluginTypeOf(installation.type)?.kind;
      if (kind === "PAYEE_CHECK") return payeeChecksOf(deps, tenantId, installation);
      const now = clock.now().getTime();
      const begun = { readTo: new Date(now - dayMs), dueAt: new Date(now + watchAfterMs) };
      // Before it can be enabled: from now on it is looked whether it is to go.
      const watch = { hasPayouts: false, ...begun };
      await store.forTenant(tenantId).watchInstallation(installation.installationId, watch);
      return kind === "FX_RATES" ? rateChecksOf(deps, tenantId, installation) : checksOf(deps, tenantId, installation);
    },
  });
  const takeCallback = createCallbackTaking(deps);

  return {
    testPlugin: ({ installationId }, call) => runs.test(installationId, call),

    async receiveCallback({ installationId, headers, body }, call) {
      const { tenantId } = call;
      const installation = await existingPlugin(installations, installationId, call);
      const webhookId = headers["webhook-id"] ?? "";
      const signed = {
        webhookId,
        webhookTimestamp: headers["webhook-timestamp"] ?? "",
        webhookSignature: headers["webhook-signature"] ?? "",
        body,
      };
      // Real time: the sandbox's business date moves no signature's life.
      verifyCallback(signed, installation.secrets["callbackSecret"], systemClock.now());
      const { reference } = callbackFromWire(body).payout;
      if (isCertificationReference(reference)) {
        const expiresAt = new Date(systemClock.now().getTime() + rememberTestCallbackMs);
        const id = testCallbackId(installationId, reference);
        await store.transaction(
          (session) => store.forTenant(tenantId).takeCallback(id, expiresAt, session),
          async () => undefined,
        );
        return {};
      }
      const { account = tenantId } = installation.configuration as { account?: string };
      await takeCallback(tenantId, { webhookId, body, installationId, account });
      return {};
    },

    async listUnservedCorridors({ installationId, routes }, { tenantId, interactionId }) {
      if (hasDefault(tenantId)) return { corridors: [] };
      const all = await installations.of({ tenantId, interactionId });
      const places = await openPlaces(store, tenantId);
      return { corridors: unservedPlaces(places, installationId, routes, all).map(placeText) };
    },
  } satisfies Partial<Handlers<PluginOwnerServiceDefinition>>;
}

/** Puts no rate. From now on it is looked whether it was enabled. */
async function rateChecksOf(
  { store, sources, times, clock }: PluginOwnerDeps,
  tenantId: string,
  installation: Installation,
): Promise<PluginCheck[]> {
  await store.forTenant(tenantId).watchRateFeed(installation.installationId, clock.now());
  const now = (await times.forTenant(tenantId)).now();
  const aheadMs = now.getTime() - clock.now().getTime();
  return checkRateSource(sources, { tenantId, installation, now, aheadMs });
}

/** Asks about payees who are made up; nothing is ever under way there. */
async function payeeChecksOf(
  { exchange, allowedOf }: PluginOwnerDeps,
  tenantId: string,
  installation: Installation,
): Promise<PluginCheck[]> {
  const at = testSystemOf(installation, tenantId);
  if (at === undefined) return [noTestSystem("has payees checked")];
  return certify(certificationTargetOf(at, tenantId, exchange.to(allowedOf(tenantId))), "PAYEE_CHECK");
}

async function checksOf(deps: PluginOwnerDeps, tenantId: string, installation: Installation): Promise<PluginCheck[]> {
  if (deps.fileBanks.isOne(installation)) return deps.fileBanks.check(tenantId, installation);
  const { installationId } = installation;
  const at = testSystemOf(installation, tenantId);
  if (at === undefined) return [noTestSystem("pays out")];
  const base = deps.callbackBaseUrl;
  return certify({
    ...certificationTargetOf(at, tenantId, deps.exchange.to(deps.allowedOf(tenantId))),
    contract: payoutContractOf(installation),
    ...(base !== "" && {
      callbacks: {
        url: `${base}/callbacks/plugins/${installationId}`,
        has: (reference) => deps.store.forTenant(tenantId).hasCallback(testCallbackId(installationId, reference)),
      },
    }),
  });
}

const testCallbackId = (installationId: string, reference: string) => `${installationId}:test:${reference}`;

/** What a partner may be asked to pay out: what goes into wallets is ours. */
async function openPlaces(store: RemittanceStore, tenantId: string): Promise<PayoutPlace[]> {
  const open = (await store.forTenant(tenantId).listCorridors()).filter(({ enabled }) => enabled);
  return open.flatMap(({ originCountry, sendCurrency, receivingCountry, receivingCurrency, deliveryMethods }) =>
    deliveryMethods
      .filter((method) => method !== "WALLET")
      .map((method) => ({ originCountry, sendCurrency, receivingCountry, receivingCurrency, method })),
  );
}
