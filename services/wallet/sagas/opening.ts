import type { StoredAnswer, Ticket } from "../../kernel/idempotency/index.js";
import { identityOf, type DriveContext, type SagaIdentity, type Sagas } from "../../kernel/sagas/index.js";
import type { Posting } from "../clients/posting.js";
import type { WalletAccount } from "../domain/account.js";
import type { WalletStore } from "../store/index.js";
import { openingAnswer } from "../wire/accounts.js";
import { freezeEventRow } from "../wire/event-rows.js";
import { rowKinds } from "../row-kinds.js";

export const openAccountOperation = "wallet.v1.OpenWalletAccount";

export interface OpeningSagaDeps {
  store: WalletStore;
  sagas: Sagas;
  posting: Posting;
  crashPoint: (name: string) => void;
}

export type OpeningSaga = ReturnType<typeof createOpeningSaga>;

/**
 * A wallet account, usable once the ledger has its account. No movement: no money moves, and the
 * account itself holds its state.
 */
export function createOpeningSaga({ store, sagas, posting, crashPoint }: OpeningSagaDeps) {
  /**
   * First transaction. Throws Taken for an account number in use, or a customer who has an account
   * in the currency.
   */
  async function begin(tenantId: string, account: WalletAccount, ticket: Ticket): Promise<void> {
    const wallet = store.forTenant(tenantId);
    await sagas.begin(sagaOf(tenantId, account), {
      ticket,
      id: account.accountId,
      insert: (session) => wallet.insertAccount(account, session).then(() => true),
      readBack: async () => (await wallet.findAccount(account.accountId)) && true,
    });
    crashPoint("wallet.account.recorded");
  }

  /**
   * Drives an opening to its end; idempotent and safe beside itself. Throws while the outcome is
   * unknown.
   */
  async function drive(tenantId: string, account: WalletAccount, context: DriveContext): Promise<StoredAnswer> {
    const answer = openingAnswer(account);
    if (account.status !== "OPENING") return answer;
    const { accountId, accountNumber, currency, customerId } = account;
    const ledgerAccount = {
      accountId,
      code: "customer_wallet",
      currency,
      name: `${currency} wallet ${accountNumber}`,
      ownerId: customerId,
      flags: ["ACCOUNT_FLAG_DEBITS_MUST_NOT_EXCEED_CREDITS" as const],
      // Whoever sends to a wallet names it by its number, and the ledger is asked for it.
      metadata: { accountNumber },
    };
    await posting.ensureAccount(tenantId, account, ledgerAccount, context);
    crashPoint("wallet.account.created");
    const wallet = store.forTenant(tenantId);
    let blockIds: readonly string[] = [];
    const cause = { tenantId, interactionId: account.interactionId, actor: "wallet" };
    await sagas.end(
      sagaOf(tenantId, account),
      {
        answer,
        // A block that comes meanwhile disturbs this transaction, or finds what it leaves.
        async apply(session) {
          blockIds = await wallet.blocksOf(customerId, session);
          return wallet.activateAccount(accountId, blockIds, session);
        },
        eventRows: () =>
          blockIds.length > 0 ? [freezeEventRow(cause, { ...account, status: "FROZEN" }, new Date())] : [],
        readBack: async () => {
          const found = await wallet.findAccount(accountId);
          return found === undefined || found.status === "OPENING" ? undefined : answer;
        },
      },
      context,
    );
    crashPoint("wallet.account.activated");
    return answer;
  }

  async function driveById(tenantId: string, accountId: string, context: DriveContext): Promise<StoredAnswer> {
    const account = await store.forTenant(tenantId).findAccount(accountId);
    if (account === undefined) throw new Error(`wallet account ${accountId} is not there`);
    return drive(tenantId, account, context);
  }

  return { begin, drive, driveById };
}

function sagaOf(tenantId: string, account: WalletAccount): SagaIdentity {
  const { accountId } = account;
  return identityOf(tenantId, account, {
    operation: openAccountOperation,
    aggregate: `account:${accountId}`,
    recovery: rowKinds.openAccount,
    payload: { accountId },
  });
}
