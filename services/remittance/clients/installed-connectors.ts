import type { Bound } from "../../kernel/batching/bound.js";
import { createSender, type Sender } from "../../platform/partners/sender.js";
import type { ConnectAt, OpenedPartner } from "../../platform/plugins/installed-partners.js";
import type { Installation } from "../../platform/plugins/installations.js";
import type { OpenPartners } from "../../platform/plugins/open-partners.js";
import { payoutContractOf } from "../../platform/plugins/payout-version.js";
import { Refusal } from "../../kernel/refusal.js";
import type { FileBanks } from "./bank-files/index.js";
import { createHttpConnector } from "./http-connector.js";
import type { PayoutConnector } from "./payout-connector.js";

export interface InstalledConnectorsDeps {
  openPartners: OpenPartners;
  fileBanks: Pick<FileBanks, "open">;
}

export type InstalledConnectors = ReturnType<typeof createInstalledConnectors>;

interface Connection {
  connector: PayoutConnector;
  /**
   * What a sandbox's manager has it do; with a breaker of its own, since a partner
   * that hangs can be told to stop.
   */
  tell: Sender;
}

type Opened = Connection & Omit<OpenedPartner<Connection>, "connection">;

/** A connector per tenant's own partner and revision, opened when it is first called. */
export function createInstalledConnectors({ fileBanks, openPartners }: InstalledConnectorsDeps) {
  const partners = openPartners(["PAYOUT"], {
    "payout-http"({ installation, options, breakers, bound }: ConnectAt): Connection {
      const contractOf = () => payoutContractOf(installation);
      const connector = createHttpConnector({ ...options, breakers, contractOf });
      return { connector: bounded(connector, bound), tell: createSender(options) };
    },
    "payout-files": ({ tenantId, installation, breakers, bound }: ConnectAt): Connection => ({
      connector: bounded(fileBanks.open(tenantId, installation, breakers), bound),
      tell: notSent,
    }),
  });
  const { installations, isOpen, isAway, placesOf } = partners;
  const probed = new Set<string>();
  return {
    installations,
    /**
     * Asks one that was away whether it is back, by a question that pays nothing; waits for nobody.
     */
    probe(tenantId: string, installation: Installation): void {
      const { installationId } = installation;
      if (!isAway(installation) || isOpen(installation) || probed.has(installationId)) return;
      probed.add(installationId);
      const ask = async () => {
        const { connector } = partners.openedOf(tenantId, installation).connection;
        await connector.nextWindow({ tenantId, installationId });
      };
      // One that is still away has opened its breaker again.
      void ask()
        .catch(() => undefined)
        .finally(() => probed.delete(installationId));
    },
    /** Refuses UNAVAILABLE where there is no such partner any more: what it was asked waits. */
    async of(tenantId: string, installationId: string, interactionId = "payouts"): Promise<Opened> {
      const installation = await partners.installationOf(tenantId, installationId, interactionId);
      const { connection, ...opened } = partners.openedOf(tenantId, installation);
      return { ...opened, ...connection };
    },
    isAway,
    placesOf,
  };
}

/** A bank that takes files does what its files say, in a sandbox too. */
const notSent: Sender = () => {
  throw new Refusal(
    "STATE_CONFLICT",
    "this partner takes files alone: what becomes of a payout is said by a file of it",
  );
};

/** Its statement is read beside the payouts, by few at a time: it takes no place of theirs. */
function bounded(connector: PayoutConnector, { within }: Bound): PayoutConnector {
  return {
    submit: (order, call) => within(() => connector.submit(order, call)),
    submitBatch: (reference, orders, call) => within(() => connector.submitBatch(reference, orders, call)),
    find: (reference, call) => within(() => connector.find(reference, call)),
    recall: (reference, call) => within(() => connector.recall(reference, call)),
    amend: (reference, amendment, call) => within(() => connector.amend(reference, amendment, call)),
    nextWindow: (call) => within(() => connector.nextWindow(call)),
    statement: (range, call) => connector.statement(range, call),
  };
}

/** Each call goes to the partner that it names, for good. */
export function connectorByPartner(
  operator: PayoutConnector,
  installed: Pick<InstalledConnectors, "of">,
): PayoutConnector {
  const at = async ({ tenantId, installationId }: { tenantId: string; installationId?: string | undefined }) =>
    installationId === undefined ? operator : (await installed.of(tenantId, installationId)).connector;
  return {
    submit: async (order, call) => (await at(call)).submit(order, call),
    submitBatch: async (reference, orders, call) => (await at(call)).submitBatch(reference, orders, call),
    find: async (reference, call) => (await at(call)).find(reference, call),
    recall: async (reference, call) => (await at(call)).recall(reference, call),
    amend: async (reference, amendment, call) => (await at(call)).amend(reference, amendment, call),
    nextWindow: async (call) => (await at(call)).nextWindow(call),
    async *statement(range, call) {
      yield* (await at(call)).statement(range, call);
    },
  };
}
