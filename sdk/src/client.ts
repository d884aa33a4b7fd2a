import { InputError } from "./errors.js";
import { List, pageOf, type Query } from "./list.js";
import { callOf, type Operation } from "./operation.js";
import { callOptionsOf, settingsOf, type ManillaOptions } from "./options.js";
import type { Session } from "./session.js";
import type { Group, Methods } from "./shapes.js";
import { eventsOf } from "./stream.js";
import { Transport } from "./transport.js";

/**
 * A client without operations: `createManilla` and `Manilla` have
 * them. Throws a ConfigurationError.
 */
export class Client {
  readonly #transport: Transport;

  constructor(options: ManillaOptions, groups: Readonly<Record<string, Group<unknown>>>) {
    this.#transport = new Transport(settingsOf(options));
    for (const [group, operations] of Object.entries(groups)) {
      const methods = Object.entries(operations).map(([method, operation]) => {
        const name = `${group}.${method}`;
        return [method, (...given: unknown[]) => invoke(this.#transport, name, operation, given)];
      });
      Object.assign(this, { [group]: Object.fromEntries(methods) });
    }
  }

  /**
   * The session at this moment, to be given as `credentials` later;
   * undefined before the first call.
   */
  get session(): Session | undefined {
    return this.#transport.keeper.session;
  }
}

/**
 * A client of some groups, so that a bundle has no others:
 * `createManilla(options, { transactions, quotes })`.
 */
export function createManilla<G extends Readonly<Record<string, Group<unknown>>>>(options: ManillaOptions, groups: G) {
  return new Client(options, groups) as Client & Methods<G>;
}

/**
 * Arguments come as ids of the path, the interaction id where it is one, body, query and options.
 */
function invoke(transport: Transport, name: string, operation: Operation, given: unknown[]): unknown {
  if (operation.sandbox && !transport.settings.sandbox)
    throw new InputError(`${name} is of the sandbox alone: make the client with sandbox: true`);
  const rest = [...given];
  const path = operation.path.replaceAll("{}", () => segmentOf(name, rest.shift()));
  const interaction = operation.interaction && { interactionId: segmentOf(name, rest.shift()) };
  const body = operation.body && { ...((rest.shift() ?? {}) as object), ...operation.fixed };
  const query = ((operation.query && rest.shift()) ?? {}) as Query;
  const options = { ...callOptionsOf(name, rest.shift()), ...interaction };
  const requested = (by: Query) => ({ name, operation, path: path + searchOf(by), body, options });
  if (operation.stream) return eventsOf(transport, requested(query), query["seconds"] !== undefined);
  const { list } = operation;
  if (list) return new List(query, async (by) => pageOf(list, by, await transport.send(requested(by))));
  return callOf(transport.send(requested(query)));
}

function segmentOf(name: string, value: unknown): string {
  const text = typeof value === "number" ? String(value) : value;
  // A URL would take dots for the folder above.
  if (typeof text !== "string" || /^\.{0,2}$/.test(text))
    throw new InputError(`${name}: an id is missing, or is no id`);
  return encodeURIComponent(text);
}

function searchOf(query: Query): string {
  const members = Object.entries(query).filter(([, value]) => value != null) as [string, Date | string | number][];
  const texts = members.map(([name, value]) => [name, value instanceof Date ? value.toISOString() : String(value)]);
  return texts.length > 0 ? `?${new URLSearchParams(texts).toString()}` : "";
}
