import { Refusal } from "../../kernel/refusal.js";
import type { Installations } from "./installations.js";
import { createInstalledPartners, type ConnectAt, type InstalledPartnersDeps } from "./installed-partners.js";
import type { ConnectorOf, PluginKind } from "./kinds.js";
import { pluginTypeOf } from "./types/index.js";

/** By name, what opens a connection to partners of kinds. */
export type Connectors<Kind extends PluginKind> = Readonly<Record<ConnectorOf<Kind>, (at: ConnectAt) => unknown>>;

export interface OpenPartnersDeps<Source extends Pick<Installations, "of">> extends Omit<
  InstalledPartnersDeps<unknown>,
  "connect" | "installations"
> {
  installationsOf: (...kinds: PluginKind[]) => Source;
}

export type OpenPartners<Source extends Pick<Installations, "of"> = Installations> = ReturnType<
  typeof createOpenPartners<Source>
>;

/** The one way to tenants' own partners. */
export function createOpenPartners<Source extends Pick<Installations, "of">>({
  installationsOf,
  ...deps
}: OpenPartnersDeps<Source>) {
  /**
   * Partners of some kinds, each spoken to by the connector that the manifest of its type names.
   * Refuses UNAVAILABLE for a type of a newer version: this one does not speak to it.
   */
  return <Kind extends PluginKind, Opens extends Connectors<Kind>>(kinds: readonly Kind[], connectors: Opens) => {
    type Connection = ReturnType<Opens[ConnectorOf<Kind>]>;
    const installations = installationsOf(...kinds);
    const byName = new Map(Object.entries<(at: ConnectAt) => unknown>(connectors));
    const connect = (at: ConnectAt) => {
      const { type, installationId } = at.installation;
      const open = byName.get(pluginTypeOf(type)?.connector ?? "");
      if (open === undefined) throw new Refusal("UNAVAILABLE", `plugin ${installationId} is of the type ${type}`);
      return open(at) as Connection;
    };
    return { installations, ...createInstalledPartners<Connection>({ ...deps, installations, connect }) };
  };
}
