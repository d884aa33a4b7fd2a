import type { GroupResult } from "../../../proto/gen/ledger/v1/ledger.js";
import type { Day } from "../../../services/ledger/domain/days.js";
import type { LinkedGroup } from "../../../services/ledger/domain/model.js";
import type { outgoing } from "../../../services/kernel/grpc/client.js";
import { Refusal } from "../../../services/kernel/refusal.js";
import { linked, move } from "../../support/ledger-journal.js";
import type { LedgerProcess } from "../../support/ledger-processes.js";
import { pause } from "../../support/time.js";
import { bank, wallets } from "./accounts.js";
import type { Closing, History } from "./history.js";

const dayMs = 86_400_000;

interface ClosersOptions {
  readonly insist: <T>(ask: (replica: LedgerProcess) => Promise<T>, givesUp: boolean) => Promise<T | undefined>;
  readonly post: (group: LinkedGroup, givesUp?: boolean) => Promise<GroupResult | undefined>;
  readonly resolving: (mode: "VOID_PENDING", refersTo: string) => LinkedGroup;
  readonly exchange: (wallet: string, minor: bigint, effectiveAtMs: number) => Promise<unknown>;
  readonly call: () => ReturnType<typeof outgoing>;
  /** In the store, as whichever replica writes it that a person has asked. */
  readonly closeThrough: (day: Day) => Promise<Day>;
  readonly history: History;
  readonly choose: (below: number) => number;
}

/** Those who close accounts and periods, while others post to them. */
export function createClosers({
  insist,
  post,
  resolving,
  exchange,
  call,
  closeThrough,
  history,
  choose,
}: ClosersOptions) {
  /** Until there is an answer, whichever of the times that it was asked is the one that closed. */
  async function ask(
    closes: Closing["closes"],
    work: (replica: LedgerProcess) => Promise<Closing["answer"]>,
  ): Promise<void> {
    await pause(choose(15));
    const begun = history.tick();
    const answer = await insist(work, false);
    history.closings.push({ closes, begun, ended: history.tick(), answer: answer! });
  }

  const closeAccount = (accountId: string) =>
    ask(accountId, async ({ client }) => {
      try {
        await client.closeAccount({ accountId }, call());
        return "closed";
      } catch (error) {
        if (error instanceof Refusal && error.code === "ACCOUNT_NOT_EMPTY") return error.code;
        throw error;
      }
    });

  const closePeriod = (day: Day) => ask(day, () => closeThrough(day));

  return {
    /**
     * Closed twice at once beside what passes through it and what is held
     * for it; then once it is empty.
     */
    async account(id: string): Promise<void> {
      const minor = BigInt(1 + choose(400));
      const passThrough = () => post(linked(move(bank, id, minor), move(id, bank, minor)), false);
      const hold = move(bank, id, minor, { mode: "PENDING" });
      const holdAndRelease = async () => {
        const held = await post(linked(hold), false);
        if (held?.posted !== undefined) await post(resolving("VOID_PENDING", hold.key), false);
      };
      await Promise.all([passThrough(), passThrough(), holdAndRelease(), closeAccount(id), closeAccount(id)]);
      await closeAccount(id);
    },

    /**
     * Closed twice at once beside postings and an exchange that count
     * for it, and asked for once more.
     */
    async period(day: Day): Promise<void> {
      const effectiveAtMs = day * dayMs + choose(dayMs);
      const wallet = wallets[choose(wallets.length)]!;
      const deposit = () => {
        const late = choose(2) === 0 ? { refusesLate: true as const } : {};
        return post(linked(move(bank, wallet, 9n, { effectiveAtMs, ...late })), false);
      };
      const soon = () => pause(choose(30)).then(deposit);
      const requested = [deposit(), deposit(), soon(), soon(), exchange(wallet, 1n, effectiveAtMs)];
      await Promise.all([...requested, closePeriod(day), closePeriod(day)]);
      await deposit();
    },
  };
}
