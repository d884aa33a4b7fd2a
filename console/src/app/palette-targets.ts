import type { OperationId } from "../generated/roles";

interface Words {
  goToTransaction: string;
  goToCustomer: string;
  searchTransactions: (text: string) => string;
}

interface Target {
  key: string;
  operation: OperationId;
  /** What is typed to be offered it. */
  matches: RegExp;
  label: (t: Words, text: string) => string;
  to: (text: string) => string;
}

const id = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What the palette offers for a typed id or text; an area adds its own line. */
export const paletteTargets: readonly Target[] = [
  {
    key: "transaction",
    operation: "readTransaction",
    matches: id,
    label: (t) => t.goToTransaction,
    to: (text) => `/transactions/${text.toLowerCase()}`,
  },
  {
    key: "customer",
    operation: "readCustomer",
    matches: id,
    label: (t) => t.goToCustomer,
    to: (text) => `/customers/${text.toLowerCase()}`,
  },
  {
    key: "transactions",
    operation: "listTransactions",
    matches: /../,
    label: (t, text) => t.searchTransactions(text),
    to: (text) => `/transactions?search=${encodeURIComponent(text)}`,
  },
];
