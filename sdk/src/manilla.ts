import { Client } from "./client.js";
import * as groups from "./generated/groups.js";
import type { ManillaOptions } from "./options.js";
import type { Methods } from "./shapes.js";

/**
 * A client of all operations: `new Manilla({ baseUrl, credentials })`. Throws a ConfigurationError.
 */
export type Manilla = Client & Methods<typeof groups>;

export const Manilla = class extends Client {
  constructor(options: ManillaOptions) {
    super(options, groups);
  }
} as unknown as new (options: ManillaOptions) => Manilla;
