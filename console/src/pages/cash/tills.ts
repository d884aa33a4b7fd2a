import { api } from "../../lib/api";
import { read } from "../../lib/queries";

/** Those of oneself that are open. */
export function openTillsQuery() {
  return read("wallets", "listTills", { open: "true" }, (options) =>
    api.cash.listTills({ open: "true" }, options).toArray({ max: 50 }),
  );
}

/** What a movement of cash makes stale. */
export const cashStales = ["wallets", "ledger", "home"] as const;
