import type { AllowedOrigins } from "../partners/address.js";
import {
  createBound,
  mostCallsAtPartner,
  mostCallsOfTenant,
  type Bound,
  type Places,
} from "../../kernel/batching/bound.js";
import { createBreakers, type BreakerOptions, type Breakers } from "../partners/breakers.js";
import type { PinnedExchange } from "../partners/exchange.js";
import type { MadeCall, SenderOptions } from "../partners/sender.js";
import { Refusal } from "../../kernel/refusal.js";
import type { CallLog } from "./call-log.js";
import { httpAccessOf } from "./http-access.js";
import type { Installation, Installations } from "./installations.js";
import { assertHasSecrets } from "./not-ready.js";
import { openPerRevision } from "./per-revision.js";

export interface InstalledPartnersDeps<Connection> {
  installations: Pick<Installations, "of">;
  exchange: Pick<PinnedExchange, "to">;
  /** Origins that a tenant's partners may have although they are http or private. */
  allowedOf: (tenantId: string) => AllowedOrigins;
  notes: Pick<CallLog, "note">;
  /** What speaks to such a partner; its orders go within the bound and through the breakers. */
  connect: (at: ConnectAt) => Connection;
  breaker?: BreakerOptions;
  /** Calls that may be under way at one partner at a time. */
  most?: number;
  /** Calls that may be under way at all partners of a tenant together. */
  mostOfTenant?: number;
}

export interface ConnectAt {
  tenantId: string;
  installation: Installation;
  /** Made where it is asked for: not every partner is reached by HTTP. */
  readonly options: SenderOptions;
  breakers: Breakers;
  bound: Bound;
}

export interface OpenedPartner<Connection> {
  revision: number;
  connection: Connection;
  isOpen: () => boolean;
  isAway: () => boolean;
  places: Places;
}

export type InstalledPartners<Connection> = ReturnType<typeof createInstalledPartners<Connection>>;

/** What was begun at a partner waits that is not to be found: it may be gone for good. */
export class PluginGone extends Refusal {
  constructor(installationId: string) {
    super("UNAVAILABLE", `plugin ${installationId} is not there`);
  }
}

/**
 * A connection to each of the tenants' own partners, for its revision,
 * opened when it is first called.
 */
export function createInstalledPartners<Connection>(deps: InstalledPartnersDeps<Connection>) {
  const { installations, exchange, allowedOf, notes, connect, breaker } = deps;
  const { most = mostCallsAtPartner, mostOfTenant = mostCallsOfTenant } = deps;

  // A tenant's partners share what it may have under way.
  const ofTenants = new Map<string, Bound>();

  function boundOf(tenantId: string): Bound {
    const known = ofTenants.get(tenantId) ?? createBound(mostOfTenant, tenantId);
    ofTenants.set(tenantId, known);
    return known;
  }

  function open(tenantId: string, installation: Installation): OpenedPartner<Connection> {
    const { installationId, revision } = installation;
    const breakers = createBreakers(breaker);
    const lets = () => breakers.lets(tenantId);
    const bound = createBound(most, `${tenantId}/${installationId}`, { around: boundOf(tenantId), lets });
    const isOpen = bound.places.isShut;
    const connection = connect({
      tenantId,
      installation,
      breakers,
      bound,
      get options() {
        const { access, timeoutMs } = httpAccessOf(installation);
        return {
          accessOf: () => access,
          timeoutMs,
          exchange: exchange.to(allowedOf(tenantId)),
          onCall: (made: MadeCall) => notes.note(tenantId, installationId, made, isOpen),
        };
      },
    });
    const isAway = () => breakers.isAway(tenantId);
    return { revision, connection, isOpen, isAway, places: bound.places };
  }

  const opened = openPerRevision(open);

  return {
    /** Refuses UNAVAILABLE where a secret of it is missing: what it was asked waits. */
    openedOf(tenantId: string, installation: Installation): OpenedPartner<Connection> {
      assertHasSecrets(installation);
      return opened.of(tenantId, installation);
    },
    /**
     * As it is now. Refuses UNAVAILABLE while identity is away, PluginGone where
     * there is no such partner any more.
     */
    async installationOf(tenantId: string, installationId: string, interactionId: string): Promise<Installation> {
      const all = await installations.of({ tenantId, interactionId });
      const found = all.find((one) => one.installationId === installationId);
      if (found === undefined) throw new PluginGone(installationId);
      return found;
    },
    /** Whether its breaker lets nobody begin at this moment. */
    isOpen: (installation: Installation): boolean => opened.known(installation)?.isOpen() ?? false,
    /** Whether it has not answered lately, and nobody has been answered since. */
    isAway: (installation: Installation): boolean => opened.known(installation)?.isAway() ?? false,
    /** Its places, once it was called. */
    placesOf: (installation: Installation): Places | undefined => opened.known(installation)?.places,
  };
}
