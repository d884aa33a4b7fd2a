import type { ConnectorOf, PluginKind } from "./kinds.js";

/** A type of plugin as we ship it. */
export type PluginManifest = { [Kind in PluginKind]: ManifestOf<Kind> }[PluginKind];

interface ManifestOf<Kind extends PluginKind> {
  /** Such as "manilla-http"; for ever. */
  name: string;
  kind: Kind;
  /** What speaks to such a partner, see openPartners. */
  connector: ConnectorOf<Kind>;
  title: string;
  /** Of the manifest, by semantic versioning. */
  version: string;
  /** What it can do beyond what its kind must, such as "recall" or "statement". */
  capabilities: readonly string[];
  /**
   * JSON Schema 2020-12; an object without unknown properties. `isAddress: true` marks every
   * property that says where secrets are sent: a URL, or host and port, which are one address.
   * `isTemplate: true` marks text, or an object of texts, that may hold {{secret}}: what
   * stands around it says where it goes.
   */
  configuration: Readonly<Record<string, unknown>>;
  /** What a live tenant's must meet beside it, as another schema. */
  liveConfiguration?: Readonly<Record<string, unknown>>;
  /**
   * Properties that stay as they are once it was enabled: with another
   * value it would be another partner.
   */
  fixedOnceEnabled?: readonly string[];
  /**
   * Properties that say what work it is sent: with another value an enabled one is paused until
   * it has passed a test.
   */
  testedAnewFor?: readonly string[];
  /**
   * Properties that say whose books it lists from. What stands there is booked, so one
   * installation of a tenant ever reads them: another one would book it a second time.
   */
  booksAt?: readonly string[];
  secrets: readonly PluginSecret[];
  hasCallbacks: boolean;
  /** It is enabled only after a passed test. */
  isCertified: boolean;
}

export interface PluginSecret {
  name: string;
  title: string;
  isRequired: boolean;
  /**
   * False of one that never leaves us, such as what callbacks are checked by; absent
   * of all that a partner is sent.
   */
  isSent?: false;
  /** What a value must be, as a regular expression over all of it. */
  pattern?: string;
}
