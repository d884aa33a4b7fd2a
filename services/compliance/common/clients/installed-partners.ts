import type { OutgoingContext } from "../../../kernel/grpc/client.js";
import { createSender, type Sender } from "../../../platform/partners/sender.js";
import type { Installation } from "../../../platform/plugins/installations.js";
import type { PluginKind } from "../../../platform/plugins/kinds.js";
import type { OpenPartners } from "../../../platform/plugins/open-partners.js";
import { pluginTypeOf } from "../../../platform/plugins/types/index.js";

/** Kinds of plugins that compliance calls itself; messages have their own way. */
export const partnerKinds = [
  "CONTACT_VERIFICATION",
  "SCREENING_LIST",
  "IDENTITY_CHECK",
] as const satisfies readonly PluginKind[];
export type PartnerKind = (typeof partnerKinds)[number];

/** A partner of a tenant's own that speaks JSON over HTTP. */
export interface InstalledPartner {
  installationId: string;
  /**
   * Refuses UNAVAILABLE where nobody knows what came of it, or as many
   * calls as may be are under way.
   */
  send: Sender;
}

export type PartnersOfKinds = ReturnType<typeof createPartnersOfKinds>;

/** The oldest ENABLED one of a kind. */
export function enabledOf(kind: PluginKind, all: readonly Installation[]): Installation | undefined {
  return all.find(({ type, status }) => status === "ENABLED" && pluginTypeOf(type)?.kind === kind);
}

/** Tenants' own partners that speak JSON over HTTP. */
export function createPartnersOfKinds(openPartners: OpenPartners) {
  const partners = openPartners(["CONTACT_VERIFICATION", "IDENTITY_CHECK"], {
    "json-http"({ options, breakers, bound }): Sender {
      const sender = createSender({ ...options, breakers });
      return (...call) => bound.within(() => sender(...call));
    },
  });
  const { installations } = partners;

  return {
    /** Whether the tenant has one, ENABLED or paused or on its way out. Refuses as `of`. */
    async has(kind: PartnerKind, call: OutgoingContext): Promise<boolean> {
      return (await installations.of(call)).some(({ type }) => pluginTypeOf(type)?.kind === kind);
    },

    /** Undefined where the tenant has none ENABLED. Refuses UNAVAILABLE while identity is away. */
    async of(kind: PartnerKind, call: OutgoingContext): Promise<InstalledPartner | undefined> {
      const own = enabledOf(kind, await installations.of(call));
      if (own === undefined) return undefined;
      return { installationId: own.installationId, send: partners.openedOf(call.tenantId, own).connection };
    },
  };
}
