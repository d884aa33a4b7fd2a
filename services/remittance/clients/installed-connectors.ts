import { createBreakers, type BreakerOptions } from "../../shared/partner/breakers.js";
import { createBound, type Bound } from "../../shared/partner/bound.js";
import type { AllowedOrigins } from "../../shared/partner/address.js";
import type { PinnedExchange } from "../../shared/partner/exchange.js";
import { createSender, type Sender, type SenderOptions } from "../../shared/partner/sender.js";
import type { CallNotes } from "../../shared/plugins/call-notes.js";
import { httpAccessOf } from "../../shared/plugins/http-access.js";
import type { Installation, Installations } from "../../shared/plugins/installations.js";
import { Refusal } from "../../shared/refusal.js";
import { createHttpConnector } from "./http-connector.js";
import type { PayoutConnector } from "./payout-connector.js";

export interface InstalledConnectorsDeps {
  installations: Installations;
  exchange: PinnedExchange;
  /** Origins that a tenant's partners may have although they are http or private. */
  allowedOf: (tenantId: string) => AllowedOrigins;
  notes: Pick<CallNotes, "note">;
  /** Where partners call back, without a path; empty asks for no callbacks. */
  callbackBaseUrl: string;
  breaker?: BreakerOptions;
  /** Calls that may be under way at one partner at a time. */
  most?: number;
}

export type InstalledConnectors = ReturnType<typeof createInstalledConnectors>;

interface Opened {
  revision: number;
  connector: PayoutConnector;
  /** What a sandbox's manager has it do; with a breaker of its own, since a partner that hangs can be told to stop. */
  tell: Sender;
  isOpen: () => boolean;
  /** As many calls as may be are under way there. */
  isFull: () => boolean;
}

const maxOpened = 10_000;
// A quarter of what the relay runs at a time: a partner that hangs leaves the rest to others.
const mostCalls = 8;

/** A connector per tenant's own partner and revision, opened when it is first called. */
export function createInstalledConnectors(deps: InstalledConnectorsDeps) {
  const { installations, exchange, allowedOf, notes, breaker, callbackBaseUrl, most = mostCalls } = deps;
  const opened = new Map<string, Opened>();

  function open(tenantId: string, installation: Installation): Opened {
    const { installationId, revision } = installation;
    const breakers = createBreakers(breaker);
    const isOpen = () => breakers.isOpen(tenantId);
    const { access, timeoutMs } = httpAccessOf(installation);
    const options: SenderOptions = {
      accessOf: () => access,
      timeoutMs,
      exchange: exchange.to(allowedOf(tenantId)),
      onCall: (made) => notes.note(tenantId, installationId, made, isOpen),
    };
    const callbackPath = `/callbacks/plugins/${installationId}`;
    const connector = createHttpConnector({ ...options, breakers, callbackBaseUrl, callbackPath });
    const bound = createBound(most);
    const { isFull } = bound;
    return { revision, connector: bounded(connector, bound), tell: createSender(options), isOpen, isFull };
  }

  function openedOf(tenantId: string, installation: Installation): Opened {
    const known = knownAs(installation);
    if (known !== undefined) return known;
    if (opened.size >= maxOpened) opened.clear();
    const made = open(tenantId, installation);
    opened.set(installation.installationId, made);
    return made;
  }

  /** As it was opened; undefined where nobody has called it as it is now. */
  function knownAs({ installationId, revision }: Installation): Opened | undefined {
    const known = opened.get(installationId);
    return known?.revision === revision ? known : undefined;
  }

  return {
    /** Refuses UNAVAILABLE where there is no such partner any more: what it was asked waits. */
    async of(tenantId: string, installationId: string, interactionId = "payouts"): Promise<Opened> {
      const all = await installations.of({ tenantId, interactionId });
      const found = all.find((one) => one.installationId === installationId);
      if (found === undefined) throw new Refusal("UNAVAILABLE", `plugin ${installationId} is not there`);
      return openedOf(tenantId, found);
    },
    /** Whether its breaker lets nothing through at this moment. */
    isOpen: (installation: Installation): boolean => knownAs(installation)?.isOpen() ?? false,
    /** Whether it has as many calls under way as it may have. */
    isFull: (installation: Installation): boolean => knownAs(installation)?.isFull() ?? false,
  };
}

/** Its statement is read beside the payouts, by few at a time: it takes no place of theirs. */
function bounded(connector: PayoutConnector, { within }: Bound): PayoutConnector {
  return {
    submit: (order, call) => within(() => connector.submit(order, call)),
    submitBatch: (reference, orders, call) => within(() => connector.submitBatch(reference, orders, call)),
    find: (reference, call) => within(() => connector.find(reference, call)),
    recall: (reference, call) => within(() => connector.recall(reference, call)),
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
    nextWindow: async (call) => (await at(call)).nextWindow(call),
    async *statement(range, call) {
      yield* (await at(call)).statement(range, call);
    },
  };
}
