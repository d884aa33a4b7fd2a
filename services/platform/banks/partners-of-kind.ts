import type { Installation, Installations } from "../plugins/installations.js";
import type { InstalledPartners } from "../plugins/installed-partners.js";
import type { BegunCall } from "./bank-connector.js";
import type { OwnPartner } from "./own-partner.js";

/** Where a tenant's own partner takes new work. */
export interface Takers {
  /**
   * Who takes what begins now: the oldest that is ENABLED, or undefined for the operator's default.
   * It is written down before anybody is called. Refuses UNAVAILABLE while identity is away:
   * whoever has a bank of their own is not sent to another.
   */
  takerOf(tenantId: string, interactionId: string): Promise<OwnPartner | undefined>;
  /** How that one is configured; undefined of the operator's default. */
  configurationOf(tenantId: string, interactionId: string): Promise<Installation["configuration"] | undefined>;
  /**
   * Whose lists are read: all that may still hear of money, and
   * undefined for the operator's default.
   */
  allOf(tenantId: string, interactionId: string): Promise<(OwnPartner | undefined)[]>;
}

export type PartnersOfKind<Connector> = ReturnType<typeof createPartnersOfKind<Connector>>;

/**
 * A tenant's own partners of one kind, and for whoever has none the operator's default, where that
 * serves the tenant.
 */
export function createPartnersOfKind<Connector>(
  { installations, ...installed }: InstalledPartners<Connector> & { installations: Pick<Installations, "of"> },
  operator: Connector,
  hasDefault: (tenantId: string) => boolean,
) {
  const serving = async (tenantId: string, interactionId: string) =>
    (await installations.of({ tenantId, interactionId })).find(({ status }) => status === "ENABLED");
  const takers: Takers = {
    async takerOf(tenantId, interactionId) {
      const taker = await serving(tenantId, interactionId);
      return taker && ownPartnerOf(taker);
    },
    configurationOf: async (tenantId, interactionId) => (await serving(tenantId, interactionId))?.configuration,
    async allOf(tenantId, interactionId) {
      const own = (await installations.of({ tenantId, interactionId })).map(ownPartnerOf);
      return hasDefault(tenantId) || own.length === 0 ? [undefined, ...own] : own;
    },
  };

  return {
    ...takers,
    /** Whom something was begun at. Refuses PluginGone where there is no such partner any more. */
    async at({ tenantId, at }: BegunCall): Promise<Connector> {
      if (at === undefined) return operator;
      const installation = await installed.installationOf(tenantId, at.installationId, "bank");
      return installed.openedOf(tenantId, installation).connection;
    },
  };
}

function ownPartnerOf({ installationId }: Installation): OwnPartner {
  return { installationId };
}
