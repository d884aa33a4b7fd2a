import type { AllowedOrigins } from "../../shared/partner/address.js";
import { createBound } from "../../shared/partner/bound.js";
import { createBreakers, type BreakerOptions } from "../../shared/partner/breakers.js";
import type { PinnedExchange } from "../../shared/partner/exchange.js";
import { createSender, type Sender } from "../../shared/partner/sender.js";
import type { OutgoingContext } from "../../shared/grpc/client.js";
import type { CallNotes } from "../../shared/plugins/call-notes.js";
import { httpAccessOf } from "../../shared/plugins/http-access.js";
import type { Installation, Installations } from "../../shared/plugins/installations.js";
import type { PluginKind } from "../../shared/plugins/kinds.js";
import { pluginTypeOf } from "../../shared/plugins/types/index.js";

/** Kinds of plugins that compliance calls itself; messages have their own way. */
export const partnerKinds = [
  "CONTACT_VERIFICATION",
  "SCREENING_LIST",
  "IDENTITY_CHECK",
] as const satisfies readonly PluginKind[];
export type PartnerKind = (typeof partnerKinds)[number];

export interface InstalledPartnersDeps {
  installations: Pick<Installations, "of">;
  exchange: Pick<PinnedExchange, "to">;
  /** Where a tenant's partners may be although it is http or not public. */
  allowedOf(tenantId: string): AllowedOrigins;
  notes: Pick<CallNotes, "note">;
  breaker?: BreakerOptions;
  /** Calls that may be under way at one partner at a time. */
  most?: number;
}

/** A partner of a tenant's own that speaks JSON over HTTP. */
export interface InstalledPartner {
  installationId: string;
  /** Refuses UNAVAILABLE where nobody knows what came of it, or as many calls as may be are under way. */
  send: Sender;
}

export type InstalledPartners = ReturnType<typeof createInstalledPartners>;

const maxOpened = 10_000;
const mostCalls = 8;

/** The oldest ENABLED one of a kind. */
export function enabledOf(kind: PluginKind, all: readonly Installation[]): Installation | undefined {
  return all.find(({ type, status }) => status === "ENABLED" && pluginTypeOf(type)?.kind === kind);
}

/** Tenants' own partners, each with a breaker and a bound of its own per revision, opened when first called. */
export function createInstalledPartners(deps: InstalledPartnersDeps) {
  const { installations, exchange, allowedOf, notes, breaker, most = mostCalls } = deps;
  const opened = new Map<string, InstalledPartner & { revision: number }>();

  function open(tenantId: string, installation: Installation) {
    const { installationId, revision } = installation;
    const breakers = createBreakers(breaker);
    const { access, timeoutMs } = httpAccessOf(installation);
    const { within } = createBound(most);
    const sender = createSender({
      accessOf: () => access,
      timeoutMs,
      exchange: exchange.to(allowedOf(tenantId)),
      breakers,
      onCall: (made) => notes.note(tenantId, installationId, made, () => breakers.isOpen(tenantId)),
    });
    const send: Sender = (...call) => within(() => sender(...call));
    return { installationId, revision, send };
  }

  return {
    /** Whether the tenant has one, ENABLED or paused or on its way out. Refuses as `of`. */
    async has(kind: PartnerKind, call: OutgoingContext): Promise<boolean> {
      return (await installations.of(call)).some(({ type }) => pluginTypeOf(type)?.kind === kind);
    },

    /** Undefined where the tenant has none ENABLED. Refuses UNAVAILABLE while identity is away. */
    async of(kind: PartnerKind, call: OutgoingContext): Promise<InstalledPartner | undefined> {
      const own = enabledOf(kind, await installations.of(call));
      if (own === undefined) return undefined;
      const known = opened.get(own.installationId);
      if (known?.revision === own.revision) return known;
      if (opened.size >= maxOpened) opened.clear();
      const made = open(call.tenantId, own);
      opened.set(own.installationId, made);
      return made;
    },
  };
}
