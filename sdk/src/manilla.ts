import { Client, type ManillaOptions } from "./client.js";
import * as groups from "./generated/groups.js";
import type { Methods } from "./shapes.js";

/** A client of all operations. Throws a ConfigurationError. */
export class Manilla extends Client {
  constructor(options: ManillaOptions) {
    super(options, groups);
  }
}
// eslint-disable-next-line no-redeclare
export interface Manilla extends Methods<typeof groups> {}
