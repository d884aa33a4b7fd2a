import { createHash } from "node:crypto";
import type { Installation, Installations } from "../plugins/installations.js";
import type { InstalledPartners } from "../plugins/installed-partners.js";
import { Refusal } from "../../kernel/refusal.js";
import type { BegunCall } from "./bank-connector.js";
import type { ListedPartner, OwnPartner } from "./own-partner.js";

export interface PartnersOfKindDeps<Connector> {
  installations: Pick<Installations, "of">;
  installed: InstalledPartners<Connector>;
  /** The operator's default. */
  operator: Connector;
  /** Whether the operator's default serves the tenant. */
  hasDefault: (tenantId: string) => boolean;
}

export interface Reached<Connector> {
  connector: Connector;
  /**
   * Its address or our account there is another one than when this was begun: what is not known there may have been
   * ordered at the other place, and is not ordered again.
   */
  hasMoved: boolean;
  /** Whether its breaker lets nothing through at this moment. */
  isOpen: () => boolean;
}

/** Where a tenant's own partner takes new work. */
export interface Takers {
  /**
   * Who takes what begins now: the oldest that is ENABLED, or undefined for the operator's default. It is written down before
   * anybody is called. Refuses UNAVAILABLE while identity is away: whoever has a bank of their own is not sent to another.
   */
  takerOf(tenantId: string, interactionId: string): Promise<OwnPartner | undefined>;
  /** How that one is configured; undefined of the operator's default. */
  configurationOf(tenantId: string, interactionId: string): Promise<Installation["configuration"] | undefined>;
  /** Whose lists are read: all that may still hear of money, and undefined for the operator's default. */
  allOf(tenantId: string, interactionId: string): Promise<(ListedPartner | undefined)[]>;
}

export type PartnersOfKind<Connector> = ReturnType<typeof createPartnersOfKind<Connector>>;

/** A tenant's own partners of one kind, and the operator's default for whoever has none. */
export function createPartnersOfKind<Connector>(deps: PartnersOfKindDeps<Connector>) {
  const { installations, installed, operator, hasDefault } = deps;
  const serving = async (tenantId: string, interactionId: string) =>
    (await installations.of({ tenantId, interactionId })).find(({ status }) => status === "ENABLED");
  const takers: Takers = {
    async takerOf(tenantId, interactionId) {
      const taker = await serving(tenantId, interactionId);
      return taker && ownPartnerOf(taker);
    },
    configurationOf: async (tenantId, interactionId) => (await serving(tenantId, interactionId))?.configuration,
    async allOf(tenantId, interactionId) {
      const own = (await installations.of({ tenantId, interactionId })).map(listedPartnerOf);
      return hasDefault(tenantId) || own.length === 0 ? [undefined, ...own] : own;
    },
  };

  return {
    ...takers,
    /** Whom something was begun at. Refuses PluginGone where there is no such partner any more. */
    async at({ tenantId, at }: BegunCall): Promise<Reached<Connector>> {
      if (at === undefined) return { connector: operator, hasMoved: false, isOpen: () => false };
      const installation = await installed.installationOf(tenantId, at.installationId, "bank");
      const { connection, isOpen } = installed.openedOf(tenantId, installation);
      return { connector: connection, hasMoved: placeOf(installation) !== at.place, isOpen };
    },
  };
}

/** Refuses to order what may have been ordered where the partner was before. */
export function askedElsewhere(reference: string): Refusal {
  return new Refusal("UNAVAILABLE", `${reference} was begun at another address, and this one does not know it`);
}

/** Credits that were read at another address: whether this one has the same books, a person must say. */
export class ReadElsewhere extends Refusal {
  constructor({ installationId }: OwnPartner) {
    const ways = "put it back, or name both in sameBooks where the same books answer";
    super("UNAVAILABLE", `credits of plugin ${installationId} were read at another url: ${ways}`);
  }
}

function ownPartnerOf(installation: Installation): OwnPartner {
  return { installationId: installation.installationId, place: placeOf(installation) };
}

function listedPartnerOf(installation: Installation): ListedPartner {
  const { sameBooks = [] } = installation.configuration as { sameBooks?: readonly string[] };
  // Nobody is called there, so nobody has checked that they are URLs.
  const urls = sameBooks.filter((url) => URL.canParse(url));
  return { ...ownPartnerOf(installation), placesOfSameBooks: urls.map((url) => placeOf(installation, url)) };
}

/** Changes with where we are sent and whose account we name there, and with nothing else. */
function placeOf({ configuration }: Pick<Installation, "configuration">, url = String(configuration["url"])): string {
  const place = JSON.stringify([new URL(url).href.replace(/\/+$/, ""), configuration["account"] ?? ""]);
  return createHash("sha256").update(place).digest("hex").slice(0, 16);
}
