import type { NewAccount } from "../../../proto/gen/ledger/v1/ledger.js";
import { outgoing, type OutgoingContext } from "../../kernel/grpc/client.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { isRefusalCode, Refusal, type RefusalCode } from "../../kernel/refusal.js";
import type { PartnerNames } from "../../platform/plugins/partner-accounts.js";
import { isSandbox } from "../../platform/sandbox/sandbox.js";
import { lendingCodes, principalCode } from "../domain/books.js";
import type { Posting } from "../domain/postings.js";
import type { Ledger } from "./neighbours.js";
import type { LendingStore } from "../store/index.js";

// What the ledger decides about somebody else's account. Other codes would mean that this service
// asks for the wrong thing.
const decisions: ReadonlySet<RefusalCode> = new Set([
  "ACCOUNT_CLOSED",
  "ACCOUNT_NOT_FOUND",
  "AMOUNT_TOO_LARGE",
] as const);
const maxKnown = 100_000;

export type LedgerPostings = ReturnType<typeof createLedgerPostings>;

/**
 * When an entry of a business day counts; undefined for a live tenant, whose entries count for when
 * they are posted.
 */
export function effectiveOn(tenantId: string, day: string): Date | undefined {
  return isSandbox(tenantId) ? new Date(`${day}T12:00:00Z`) : undefined;
}

/**
 * Carries postings out in the ledger. Each is decided once there, however often it is asked for.
 */
export function createLedgerPostings({
  ledger,
  store,
  nameOf,
}: {
  ledger: Pick<Ledger, "createAccounts" | "postTransfers">;
  store: LendingStore;
  nameOf: PartnerNames;
}) {
  // Accounts that are surely there: made once, they are never taken away.
  const known = new Set<string>();

  /** What stands at a bank or an acquirer names it. */
  async function whose({ accountId = "", name = "" }: WirePartial<NewAccount>, call: OutgoingContext) {
    const [code, partner = ""] = accountId.split(":");
    if (code !== lendingCodes.bank && code !== lendingCodes.card) return {};
    return { name: `${name}, ${await nameOf(partner, call)}`, metadata: { partner } };
  }

  async function openAccounts(
    tenantId: string,
    accounts: WirePartial<NewAccount>[],
    interactionId: string,
  ): Promise<void> {
    const missing = accounts.filter(({ accountId }) => !known.has(`${tenantId} ${accountId}`));
    if (missing.length === 0) return;
    const call = outgoing({ tenantId, interactionId });
    const created = await Promise.all(
      missing.map(async (account) => ({ ...account, ...(await whose(account, call)) })),
    );
    await ledger.createAccounts({ accounts: created }, call);
    if (known.size > maxKnown) known.clear();
    for (const { accountId } of missing) known.add(`${tenantId} ${accountId}`);
  }

  async function post(tenantId: string, posting: Posting): Promise<Refusal | undefined> {
    const { currency, transfers, interactionId, createdBy, on } = posting;
    // Only a sandbox's business day is not the real one; noon is that day in the ledger's time zone
    // too.
    const effectiveAt = effectiveOn(tenantId, on);
    await openAccounts(tenantId, accountsOf(posting), interactionId);
    const request = {
      createdBy,
      groups: [
        {
          transfers: transfers.map(({ amountMinor, ...transfer }) => ({
            ...transfer,
            amount: { amountMinor, currency },
            mode: "TRANSFER_MODE_POSTED" as const,
            ...(effectiveAt === undefined ? {} : { effectiveAt }),
          })),
        },
      ],
    };
    const { results } = await ledger.postTransfers(request, outgoing({ tenantId, interactionId }));
    const refused = results[0]?.refused;
    if (refused === undefined) return undefined;
    if (!isRefusalCode(refused.code) || !decisions.has(refused.code)) {
      throw new Error(`the ledger refused what it should not have been asked: ${refused.code} ${refused.message}`);
    }
    return new Refusal(refused.code, refused.message);
  }

  return {
    /**
     * Posts, or gives the ledger's refusal; either is decided for ever. Throws while it is not
     * decided.
     */
    post,
    /** Makes sure of one of the tenant's own accounts. */
    openOwn: (tenantId: string, accountId: string, currency: string, interactionId: string) =>
      openAccounts(tenantId, [ownAccount(accountId, currency)], interactionId),
    /**
     * Carries a stored posting out and closes it. A refusal of it is a bug, since all its accounts
     * are ours.
     */
    async carryOut(tenantId: string, postingId: string): Promise<void> {
      const tenant = store.forTenant(tenantId);
      const posting = await tenant.findPosting(postingId);
      if (posting === undefined) throw new Error(`posting ${postingId} is not there`);
      if (!posting.isOpen) return;
      const refusal = await post(tenantId, posting);
      if (refusal !== undefined) throw new Error(`posting ${postingId} was refused: ${refusal.code}`);
      await tenant.closePosting(postingId);
    },
  };
}

const names = Object.fromEntries(
  Object.values(lendingCodes).map((code) => [
    code,
    code.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase()),
  ]),
);

function ownAccount(accountId: string, currency: string): WirePartial<NewAccount> {
  const code = accountId.slice(0, accountId.indexOf(":"));
  return { accountId, code, currency, name: `${names[code]} ${currency}` };
}

/** Accounts of ours that a posting names. Wallets are the wallet's. */
function accountsOf({ transfers, currency, opens }: Posting): WirePartial<NewAccount>[] {
  const ids = new Set(transfers.flatMap(({ debitAccountId, creditAccountId }) => [debitAccountId, creditAccountId]));
  const own = [...ids].filter((id) => Object.hasOwn(names, id.slice(0, id.indexOf(":"))));
  const accounts = own.map((id) => ownAccount(id, currency));
  if (opens === undefined) return accounts;
  const { accountId, customerId, productName } = opens;
  return [...accounts, { accountId, code: principalCode, currency, name: `Loan ${productName}`, ownerId: customerId }];
}
