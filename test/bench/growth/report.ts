import { cpus, loadavg } from "node:os";
import { lineOf, type Row } from "./measure.js";
import type { Tenant } from "./world.js";

interface Ran {
  small: Tenant;
  large: Tenant;
  filledS: number;
  /** Bytes of all databases. */
  disk: number;
  rounds: number;
}

const number = (count: number) => count.toLocaleString("en");

/** What a run prints. */
export function reportOf(rows: readonly Row[], { small, large, filledS, disk, rounds }: Ran): string {
  const load = loadavg()
    .map((one) => one.toFixed(1))
    .join(" ");
  return [
    "# Growth",
    "",
    `\`npm run bench:growth\`: a tenant with ${number(small.transactions)} transactions, as many wallet payments and ${number(small.customers)} customers beside one with`,
    `${number(large.transactions)}, as many payments and ${number(large.customers)} customers, filled in ${(filledS / 60).toFixed(1)} minutes (${(disk / 1e9).toFixed(1)} GB in MongoDB). The services, mongod and its`,
    "cache of 0.25 GB are those of `npm start`; calls go through the gateway, one after the other, the two tenants in turns.",
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}), load average ${load} at the end, ${rounds} calls of each.`,
    "",
    "Keys and documents are what MongoDB examined for one call, in all databases. In time: p50 of reads at most 1.5 times that of the small",
    "tenant, of postings 1.3, and a search for customers within 50 ms at p99. Bounded: no more keys than 300, or than that many times those",
    "of the small tenant.",
    "",
    "Payments' transfers are posted by the ledger itself, in bulk: its journal is one chain, and the run verifies it. Transactions are",
    "copies of one that went from its creation to its payout, without transfers of their own; each has its decision and one event.",
    "",
    "| call | few: p50, ms | p99 | many: p50, ms | p99 | ratio | few: keys / documents | many | in time | bounded |",
    `|${" --- |".repeat(10)}`,
    ...rows.map(lineOf),
    "",
    ...mended,
  ].join("\n");
}

// Counted once: it does not change with a run.
const mended = [
  "## What was mended",
  "",
  "Keys examined for a page of 20 among 2,000 and 20,000 transactions (200 and 2,000 customers), before and after:",
  "",
  "| call | before | after | by |",
  "| --- | --- | --- | --- |",
  "| transactions to a rare country | 2,002, 20,002 | 0, 3 | an index |",
  "| transactions by a rare way | 2,001, 20,002 | 0, 2 | an index |",
  "| transactions in a currency that none has | 2,001, 20,001 | 0, 0 | an index |",
  "| transactions of a sender's code | 2,001, 20,001 | 10, 10 | an index |",
  "| transactions to a recipient's code | 2,001, 20,001 | 11, 10 | an index |",
  '| customers, search "mo" | 102, 1,004 | 23, 22 | the order of words, in which the index lies |',
  '| customers, search "ad" | 71, 713 | 36, 22 | the same |',
  "",
  "Payables of a type, pages of bookings (which went through other tenants' too) and events since a time have tests that count; tills of a",
  "cashier and open ones have an index. There are few of them here.",
  "",
  "Keys examined among 10,000 and 1,000,000 transactions before: to a rare country and CANCELLED 99 and 10,259, by a rare way to a country",
  "99 and 9,901, a customer's REJECTED 101 and 10,002. Status and way are few, so they stand before the newest in the indexes of countries, senders and statuses, and",
  "a list that names none asks for each of them: MongoDB reads the newest of each and merges them, 64 at most. The index of ways is gone, as that of statuses",
  "serves it. A change of status rewrites three keys where it rewrote one. `services/remittance/handlers/transaction-list-plans.test.ts` counts these lists among 500 others.",
  "",
  "Two names that many have, before and after pairs of beginnings ([search](../search-and-queues.md)), 10,000 transactions and 100,000 customers, beside other",
  'work: "ad be" 35,586 keys and 13.8 times the small tenant\'s time to 407 and 1.0; "mohammed zwane" 3,098 and 2.5 to 432 and 1.2.',
  "",
  "A common name among PENDING customers: 1,713 keys and 2.4 to 2.8 times the small tenant's time, 223 keys and 1.2 times since customers whose status few have",
  "also have words of it and of what their names begin with.",
  "",
  "## What grows still",
  "",
  "- The trial balance adds up every account of the tenant, that of an earlier day twice.",
  "- A filter together with another one goes along the rarer of the two and passes over what the other leaves out: an agent's or a",
  "  cashier's own transactions of a rare state.",
  "- The last page of a search passes over the keys of those who were found by an earlier word of theirs.",
  "",
];
