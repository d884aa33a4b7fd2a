import type { NewAccount } from "../../../proto/gen/ledger/v1/ledger.js";
import type { PartnerNames } from "../../platform/plugins/partner-accounts.js";
import { decisionOr } from "../../platform/neighbours/decision.js";
import { outgoing, type OutgoingContext } from "../../kernel/grpc/client.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { isRefusalCode, Refusal, type RefusalCode } from "../../kernel/refusal.js";
import { deadlineOf, type DriveContext, type SagaOrigin } from "../../kernel/sagas/index.js";
import { heldKind } from "../domain/held-arrival.js";
import { insufficientFunds } from "../domain/payment.js";
import type { PlannedTransfer } from "../domain/transfers.js";
import { transferToWire } from "../wire/transfers.js";
import type { Ledger } from "./neighbours.js";

export interface Posted {
  /** Of the debited and the credited account of the last transfer, after it. */
  readonly debitBalanceMinor: bigint;
  readonly creditBalanceMinor: bigint;
  /** Of the debited account of the first. */
  readonly firstDebitBalanceMinor: bigint;
  readonly postedAt: Date;
  /** The business day that the ledger counts it for, such as "2026-11-30". */
  readonly day: string;
  /** One per transfer. */
  readonly transferIds: readonly string[];
}

// What the ledger decides about the money itself. Other codes would mean that this service asks for
// the wrong thing; above all KEY_REUSED, after which nobody may conclude that nothing was posted.
const decisions: ReadonlySet<RefusalCode> = new Set([
  "INSUFFICIENT_FUNDS",
  "ACCOUNT_CLOSED",
  "AMOUNT_TOO_LARGE",
] as const);

const maxRemembered = 100_000;
const none: ReadonlySet<RefusalCode> = new Set();

export type Posting = ReturnType<typeof createPosting>;

/** Posts linked groups in the name of who asked for them. */
export function createPosting({
  ledger,
  nameOf,
}: {
  ledger: Pick<Ledger, "createAccounts" | "postTransfers" | "getTransfer">;
  nameOf: PartnerNames;
}) {
  const made = new Set<string>();

  async function named({ name = "", metadata, ...account }: WirePartial<NewAccount>, call: OutgoingContext) {
    const partner = metadata?.["partner"];
    const whose = partner === undefined ? name : `${name}, ${await nameOf(partner, call)}`;
    return { ...account, name: whose, ...(metadata && { metadata }) };
  }

  return {
    /** As ensureAccount, of several; what this process has made is not asked for again. */
    async ensureAccounts(
      tenantId: string,
      origin: SagaOrigin,
      accounts: readonly WirePartial<NewAccount>[],
      context: DriveContext,
    ): Promise<void> {
      const nameOf = ({ accountId }: WirePartial<NewAccount>): string => `${tenantId} ${accountId ?? ""}`;
      const missing = accounts.filter((account) => !made.has(nameOf(account)));
      if (missing.length === 0) return;
      const call = outgoing({ tenantId, interactionId: origin.interactionId, ...deadlineOf(context) });
      const created = await Promise.all(missing.map((account) => named(account, call)));
      await ledger.createAccounts({ accounts: created }, call).catch((error: unknown) => {
        throw decisionOr(error, none, "an account");
      });
      if (made.size > maxRemembered) made.clear();
      for (const account of missing) made.add(nameOf(account));
    },

    /** Makes an account, or finds it as it is. Throws UNAVAILABLE, DEADLINE_EXCEEDED. */
    async ensureAccount(
      tenantId: string,
      origin: SagaOrigin,
      account: WirePartial<NewAccount>,
      context: DriveContext,
    ): Promise<void> {
      const call = outgoing({ tenantId, interactionId: origin.interactionId, ...deadlineOf(context) });
      await ledger.createAccounts({ accounts: [account] }, call).catch((error: unknown) => {
        throw decisionOr(error, none, "an account");
      });
    },

    /**
     * Posts one group, or gives the ledger's refusal; either is decided once and for ever. Throws
     * while it is not decided: UNAVAILABLE, DEADLINE_EXCEEDED.
     */
    async post(
      tenantId: string,
      origin: SagaOrigin,
      transfers: readonly PlannedTransfer[],
      context: DriveContext,
      more: ReadonlySet<RefusalCode> = none,
    ): Promise<Posted | Refusal> {
      const request = { groups: [{ transfers: transfers.map(transferToWire) }], createdBy: origin.createdBy };
      const call = outgoing({ tenantId, interactionId: origin.interactionId, ...deadlineOf(context) });
      const { results } = await ledger.postTransfers(request, call).catch((error: unknown) => {
        throw decisionOr(error, none, "a posting");
      });
      const [result] = results;
      if (result?.refused) return refusalOf(result.refused, transfers, more);
      const done = result?.posted?.transfers ?? [];
      // Legs that hold an arrival come last, and the answer is not about them.
      const last = done[transfers.findLastIndex(({ kind }) => kind !== heldKind)] ?? done.at(-1);
      if (last?.postedAt === undefined) throw new Error("the ledger answered without a result");
      const { debitBalanceMinor, creditBalanceMinor, postedAt, day } = last;
      const firstDebitBalanceMinor = done[0]?.debitBalanceMinor ?? 0n;
      const transferIds = done.map(({ transferId }) => transferId);
      return { debitBalanceMinor, creditBalanceMinor, firstDebitBalanceMinor, postedAt, day, transferIds };
    },

    /** When and for which day the ledger has a transfer; undefined where it has none of the key. */
    async findPosted(
      tenantId: string,
      origin: Pick<SagaOrigin, "interactionId">,
      key: string,
      context: DriveContext,
    ): Promise<Pick<Posted, "postedAt" | "day"> | undefined> {
      const call = outgoing({ tenantId, interactionId: origin.interactionId, ...deadlineOf(context) });
      try {
        const { transfer } = await ledger.getTransfer({ key }, call);
        if (transfer?.postedAt === undefined) throw new Error("the ledger answered without a transfer");
        const { postedAt, day } = transfer;
        return { postedAt, day };
      } catch (error) {
        decisionOr(error, new Set(["TRANSFER_NOT_FOUND"] as const), "a look at a transfer");
        return undefined;
      }
    },
  };
}

function refusalOf(
  refused: { code: string; message: string; availableMinor: bigint; askedMinor: bigint },
  transfers: readonly PlannedTransfer[],
  more: ReadonlySet<RefusalCode>,
): Refusal {
  const { code, message, availableMinor } = refused;
  if (!isRefusalCode(code) || !(decisions.has(code) || more.has(code))) {
    throw new Error(`the ledger refused what it should not have been asked: ${code} ${message}`);
  }
  if (code !== "INSUFFICIENT_FUNDS") return new Refusal(code, message);
  const [first] = transfers;
  const requested = transfers.reduce((all, { amount }) => all + amount.minor, 0n);
  return insufficientFunds(first?.amount.currency ?? "", availableMinor, requested);
}
