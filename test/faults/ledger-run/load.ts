import { randomUUID } from "node:crypto";
import type { GroupResult, PostExchangeRequest } from "../../../proto/gen/ledger/v1/ledger.js";
import type { Day } from "../../../services/ledger/domain/days.js";
import type { LinkedGroup, NewTransfer } from "../../../services/ledger/domain/model.js";
import { postingToWire } from "../../../services/ledger/wire/postings.js";
import { outgoing } from "../../../services/kernel/grpc/client.js";
import { Refusal } from "../../../services/kernel/refusal.js";
import { linked, move } from "../../support/ledger-journal.js";
import type { LedgerProcess } from "../../support/ledger-processes.js";
import { pause } from "../../support/time.js";
import { bank, euros, positionCode, wallets } from "./accounts.js";
import { createClosers } from "./closings.js";
import type { History, Reading } from "./history.js";
import { createReadings, type Seen } from "./readings.js";

const clientCount = 16;
const readerCount = 2;
const dayMs = 86_400_000;
const daysBack = 30;
const passing = ["UNAVAILABLE", "DEADLINE_EXCEEDED", "OVERLOADED", "LEASE_LOST"];

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
  readonly accountIds: readonly string[];
  readonly closeThrough: (day: Day) => Promise<Day>;
}

export type Load = ReturnType<typeof startLoad>;

/**
 * Clients that post, exchange, resolve, reverse and repeat, and readers, through any
 * replica, until they are stopped.
 */
export function startLoad({ replicas, tenantId, history, choose, accountIds, closeThrough }: LoadOptions) {
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

  async function send(
    group: LinkedGroup,
    givesUp: boolean,
    ask: (replica: LedgerProcess) => Promise<GroupResult>,
  ): Promise<GroupResult | undefined> {
    const sent = history.begin(group);
    const result = await insist(ask, givesUp);
    if (result !== undefined) history.answered(sent, result);
    return result;
  }

  /** One linked group, as a client does that has its keys. */
  function post(group: LinkedGroup, givesUp = true): Promise<GroupResult | undefined> {
    const request = postingToWire({ groups: [group], createdBy: group.createdBy, service: group.service });
    return send(group, givesUp, async ({ client }) => (await client.postTransfers(request, call())).results[0]!);
  }

  /** From a wallet into euros at 0.9, or back. */
  function exchange(wallet: string, minor: bigint, effectiveAtMs?: number): Promise<GroupResult | undefined> {
    const { group, request } = exchangeOf(wallet, minor, choose(3) === 0, effectiveAtMs);
    return send(group, true, async ({ client }) => (await client.postExchange(request, call())).result!);
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
    // Some count for a day that is over, and may be closed.
    const about = choose(4) === 0 ? { effectiveAtMs: Date.now() - choose(daysBack * dayMs) } : {};
    switch (choose(7)) {
      case 0:
        return void (await post(linked(move(bank, a, minor, about))));
      case 6:
        return void (await exchange(a, minor, about.effectiveAtMs));
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

  async function observe(read: (replica: LedgerProcess) => Promise<Seen>): Promise<void> {
    const begun = history.tick();
    const seen = await insist(read, true);
    if (seen !== undefined) history.readings.push({ ...seen, begun, ended: history.tick() } as Reading);
  }

  const readings = createReadings(call, accountIds);
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
      while (isRunning) await observe(readers[choose(readers.length)]!);
    }),
  ]);
  running.catch(() => undefined);
  return {
    failures,
    post,
    resolving,
    pair,
    closers: createClosers({ insist, post, resolving, exchange, call, closeThrough, history, choose }),
    async stop(): Promise<void> {
      isRunning = false;
      await running;
    },
  };
}

/** What is asked, and what the ledger makes of it. */
function exchangeOf(wallet: string, minor: bigint, isBack: boolean, effectiveAtMs?: number) {
  const key = randomUUID();
  const [debitAccountId, creditAccountId] = isBack ? [euros, wallet] : [wallet, euros];
  const [sold, bought] = [
    { minor: minor * 10n, currency: isBack ? "EUR" : "USD" },
    { minor: minor * 9n, currency: isBack ? "USD" : "EUR" },
  ];
  const wire = (amount: typeof sold) => ({ amountMinor: amount.minor, currency: amount.currency });
  const request: PostExchangeRequest = {
    key,
    debitAccountId,
    creditAccountId,
    from: wire(sold),
    to: wire(bought),
    rate: "0.9",
    kind: "test",
    description: "",
    createdBy: "user-1",
    effectiveAt: effectiveAtMs === undefined ? undefined : new Date(effectiveAtMs),
    metadata: {},
  };
  const about = effectiveAtMs === undefined ? {} : { effectiveAtMs };
  const leg = (end: string, from: string, to: string, amount: typeof sold) =>
    move(from, to, amount.minor, { key: `${key}:${end}`, amount, ...about });
  const group = linked(
    leg("from", debitAccountId!, `${positionCode}:${sold.currency}`, sold),
    leg("to", `${positionCode}:${bought.currency}`, creditAccountId!, bought),
  );
  return { group, request };
}
