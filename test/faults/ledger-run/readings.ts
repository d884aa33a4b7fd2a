import { randomUUID } from "node:crypto";
import { postingToWire } from "../../../services/ledger/wire/postings.js";
import { outgoing } from "../../../services/kernel/grpc/client.js";
import { linked, move } from "../../support/ledger-journal.js";
import { onceUp, type LedgerProcess } from "../../support/ledger-processes.js";
import { bank, wallets } from "./accounts.js";
import type { History, Reading } from "./history.js";

export type Seen = Reading extends infer One ? (One extends Reading ? Omit<One, "begun" | "ended"> : never) : never;

/** What is read of a replica; lists by all of their pages. */
export function createReadings(call: () => ReturnType<typeof outgoing>, accountIds: readonly string[]) {
  return {
    async accounts({ client }: LedgerProcess): Promise<Seen> {
      return { kind: "accounts", accounts: (await client.getAccounts({ accountIds }, call())).accounts };
    },
    async balance({ client }: LedgerProcess, accountId: string): Promise<Seen> {
      const { balanceMinor, sequence } = await client.getBalance({ accountId }, call());
      return { kind: "balance", accountId, balance: balanceMinor, sequence };
    },
    async trialBalance({ client }: LedgerProcess): Promise<Seen> {
      const { lines } = await client.getTrialBalance({}, call());
      const sums = lines.map(
        ({ code, currency, debitsMinor, creditsMinor }) =>
          [`${code}/${currency}`, [BigInt(debitsMinor), BigInt(creditsMinor)]] as const,
      );
      return { kind: "trial balance", lines: new Map(sums) };
    },
    async statement({ client }: LedgerProcess, accountId: string, pageSize: number): Promise<Seen> {
      const sequences: bigint[] = [];
      for (let cursor = ""; ;) {
        const { entries, nextCursor } = await onceUp(() =>
          client.listAccountEntries({ accountId, pageSize, cursor }, call()),
        );
        sequences.push(...entries.map(({ sequence }) => sequence));
        if (nextCursor === "") return { kind: "statement", accountId, sequences };
        cursor = nextCursor;
      }
    },
    async export({ operator }: LedgerProcess, limit: number): Promise<Seen> {
      const sequences: bigint[] = [];
      for (let afterSequence = 0n; ;) {
        const { transfers } = await onceUp(() => operator.readJournal({ afterSequence, limit }, call()));
        sequences.push(...transfers.map(({ sequence }) => sequence));
        // Whoever posts all the time is never caught up with.
        if (transfers.length < limit) return { kind: "export", sequences };
        afterSequence = transfers.at(-1)!.sequence;
      }
    },
    async list({ client }: LedgerProcess, pageSize: number): Promise<Seen> {
      const ids: string[] = [];
      for (let cursor = ""; ;) {
        const page = await onceUp(() => client.listAccounts({ pageSize, cursor }, call()));
        ids.push(...page.accounts.map(({ accountId }) => accountId));
        if (page.nextCursor === "") break;
        cursor = page.nextCursor;
      }
      if (ids.join() !== accountIds.toSorted().join()) throw new Error(`a list of accounts has ${ids.join()}`);
      return { kind: "list", ids };
    },
  };
}

interface LastWords {
  readonly replicas: readonly LedgerProcess[];
  readonly tenantId: string;
  readonly history: History;
}

/** One write and one read through each replica, by themselves: they end. */
export async function lastWords({ replicas, tenantId, history }: LastWords): Promise<void> {
  for (const replica of replicas) {
    const call = () => outgoing({ tenantId, interactionId: randomUUID() });
    const group = linked(move(bank, wallets[0]!, 1n));
    const sent = history.begin(group);
    const request = postingToWire({ groups: [group], createdBy: group.createdBy, service: group.service });
    const { results } = await onceUp(() => replica.client.postTransfers(request, call()));
    history.answered(sent, results[0]!);
    const begun = history.tick();
    const { balanceMinor, sequence } = await replica.client.getBalance({ accountId: wallets[0]! }, call());
    const read = { kind: "balance", accountId: wallets[0]!, balance: balanceMinor, sequence } as const;
    history.readings.push({ ...read, begun, ended: history.tick() });
  }
}
