import { randomUUID } from "node:crypto";
import { AccountFlag, type GroupResult } from "../../../proto/gen/ledger/v1/ledger.js";
import type { LinkedGroup, NewTransfer } from "../../../services/ledger/domain/model.js";
import { postingToWire } from "../../../services/ledger/wire/postings.js";
import { outgoing } from "../../../services/shared/grpc/client.js";
import { Refusal } from "../../../services/shared/refusal.js";
import type { BookAccount } from "../../property/ledger-book-state.js";
import { linked, move } from "../../support/ledger-journal.js";
import { onceUp, type LedgerProcess } from "../../support/ledger-processes.js";
import { pause } from "../../support/time.js";
import type { History, Looked } from "./history.js";

const bank = "bank_settlement:USD";
const wallets = Array.from({ length: 12 }, (_, n) => `w${n}`);
export const accountIds = [bank, ...wallets];
const clientCount = 16;
const readerCount = 2;
const passing = ["UNAVAILABLE", "DEADLINE_EXCEEDED", "OVERLOADED", "LEASE_LOST"];

export const bookAccounts: ReadonlyMap<string, BookAccount> = new Map(
  accountIds.map((id): [string, BookAccount] => {
    const wallet = { code: "customer_wallet", service: "wallet", currency: "USD", isDebitNormal: false } as const;
    return [
      id,
      id === bank ? { ...wallet, code: "bank_settlement", isDebitNormal: true } : { ...wallet, bound: "debits" },
    ];
  }),
);

export async function openAccounts({ client }: LedgerProcess, tenantId: string): Promise<void> {
  const flags = [AccountFlag.ACCOUNT_FLAG_DEBITS_MUST_NOT_EXCEED_CREDITS];
  const accounts = [
    { accountId: bank, code: "bank_settlement", currency: "USD" },
    ...wallets.map((accountId) => ({ accountId, code: "customer_wallet", currency: "USD", flags })),
  ];
  await onceUp(() => client.createAccounts({ accounts }, outgoing({ tenantId, interactionId: randomUUID() })));
}

/** What clients choose follows from a number alone (mulberry32). */
export function createChooser(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) % below;
  };
}

interface LoadOptions {
  readonly replicas: readonly LedgerProcess[];
  readonly tenantId: string;
  readonly history: History;
  readonly choose: (below: number) => number;
}

export type Load = ReturnType<typeof startLoad>;

/** Clients that post, resolve, reverse and repeat, and readers, through any replica, until they are stopped. */
export function startLoad({ replicas, tenantId, history, choose }: LoadOptions) {
  const failures = new Map<string, number>();
  let isRunning = true;
  const call = () => outgoing({ tenantId, interactionId: randomUUID() });
  const anyReplica = () => replicas[choose(replicas.length)]!;

  /** Until there is an answer; where `givesUp`, some never know. */
  async function insist<T>(ask: (replica: LedgerProcess) => Promise<T>, givesUp: boolean): Promise<T | undefined> {
    for (;;) {
      try {
        return await ask(anyReplica());
      } catch (error) {
        const code = error instanceof Refusal ? error.code : "OTHER";
        failures.set(code, (failures.get(code) ?? 0) + 1);
        if (!passing.includes(code)) throw error;
        if (givesUp && (!isRunning || choose(20) === 0)) return undefined;
        await pause(choose(100));
      }
    }
  }

  /** One linked group, as a client does that has its keys. */
  async function post(group: LinkedGroup, givesUp = true): Promise<GroupResult | undefined> {
    const sent = history.begin(group);
    const request = postingToWire({ groups: [group], createdBy: group.createdBy, service: group.service });
    const answer = await insist(({ client }) => client.postTransfers(request, call()), givesUp);
    if (answer !== undefined) history.answered(sent, answer.results[0]!);
    return answer?.results[0];
  }

  function pair(): [string, string] {
    const from = choose(wallets.length);
    return [wallets[from]!, wallets[(from + 1 + choose(wallets.length - 1)) % wallets.length]!];
  }

  const resolving = (mode: NewTransfer["mode"], refersTo: string, minor?: bigint): LinkedGroup => {
    const { amount: _, ...rest } = move("", "", 1n, { key: randomUUID(), mode, refersTo });
    return linked({ ...rest, ...(minor === undefined ? {} : { amount: { minor, currency: "USD" } }) });
  };

  async function act(): Promise<void> {
    const [a, b] = pair();
    const minor = BigInt(1 + choose(400));
    const key = randomUUID();
    switch (choose(6)) {
      case 0:
        return void (await post(linked(move(bank, a, minor))));
      case 1:
        return void (await post(linked(move(a, b, minor), move(b, bank, 1n))));
      case 2: {
        const twice = linked(move(a, b, minor));
        return void (await Promise.all([post(twice), post(twice)]));
      }
      case 3: {
        const done = await post(
          linked(move(a, b, minor, { key, ...(choose(2) === 0 ? { isUpTo: true as const } : {}) })),
        );
        if (done?.posted !== undefined) await post(resolving("POSTED", key));
        return;
      }
      case 4: {
        // Some are over before anybody resolves them.
        const timeoutMs = 1_000 + choose(2) * 59_000;
        const held = await post(linked(move(a, b, minor, { key, mode: "PENDING", timeoutMs })));
        if (held?.posted === undefined) return;
        if (timeoutMs === 1_000) await pause(choose(1_500));
        await Promise.all([post(resolving("POST_PENDING", key, 1n)), post(resolving("VOID_PENDING", key))]);
        return;
      }
      default:
        return void (await post(linked(move(a, b, minor, { isUpTo: true }), move(b, a, minor))));
    }
  }

  async function look(read: (replica: LedgerProcess) => Promise<Seen>): Promise<void> {
    const begun = history.tick();
    const seen = await insist(read, true);
    if (seen !== undefined) history.looked.push({ ...seen, begun, ended: history.tick() } as Looked);
  }

  const readings = createReadings(call);
  const readers = [
    readings.accounts,
    readings.trialBalance,
    (replica: LedgerProcess) => readings.balance(replica, wallets[choose(wallets.length)]!),
    (replica: LedgerProcess) => readings.statement(replica, wallets[choose(wallets.length)]!, 1 + choose(50)),
    (replica: LedgerProcess) => readings.export(replica, 20 + choose(200)),
    (replica: LedgerProcess) => readings.list(replica, 1 + choose(5)),
  ];
  const running = Promise.all([
    ...Array.from({ length: clientCount }, async () => {
      while (isRunning) await act();
    }),
    ...Array.from({ length: readerCount }, async () => {
      while (isRunning) await look(readers[choose(readers.length)]!);
    }),
  ]);
  running.catch(() => undefined);
  return {
    failures,
    post,
    resolving,
    pair,
    async stop(): Promise<void> {
      isRunning = false;
      await running;
    },
  };
}

type Seen = Looked extends infer One ? (One extends Looked ? Omit<One, "begun" | "ended"> : never) : never;

/** What is read of a replica; lists by all of their pages. */
function createReadings(call: () => ReturnType<typeof outgoing>) {
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
        ({ code, debitsMinor, creditsMinor }) => [code, [BigInt(debitsMinor), BigInt(creditsMinor)]] as const,
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

/** One write and one read through each replica, by themselves: they end. */
export async function lastWords({ replicas, tenantId, history }: Omit<LoadOptions, "choose">): Promise<void> {
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
    history.looked.push({ ...read, begun, ended: history.tick() });
  }
}
