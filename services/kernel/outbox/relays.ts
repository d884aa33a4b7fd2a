import { assertAllDone, startRelay, type Relay, type RelayOptions } from "./relay.js";

/**
 * Two relays over one outbox. Rows of the kinds `apart` have slots of their own: while what they
 * wait for is away, and thousands of them are due, no other row waits behind them. An aggregate
 * with a row of such a kind must hold none of another: each relay looks at its own alone.
 */
export function startRelays(apart: readonly string[], options: RelayOptions): Relay {
  assertAllDone(options);
  const relays = [
    startRelay({ ...options, kinds: { but: apart } }),
    startRelay({ ...options, kinds: { only: apart } }),
  ];
  return {
    async stop(graceMs) {
      await Promise.all(relays.map((relay) => relay.stop(graceMs)));
    },
  };
}
