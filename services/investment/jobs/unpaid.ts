import { outgoing } from "../../kernel/grpc/client.js";
import { leaveRow } from "../../kernel/outbox/left-rows.js";
import type { Logger } from "../../kernel/process/log.js";
import { passesByItself } from "../../kernel/outbox/patience.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Accrual } from "./accrual.js";
import type { Wallet } from "../clients/neighbours.js";
import type { UntriedHolding } from "../store/holdings.js";
import type { InvestmentStore } from "../store/index.js";

const batchSize = 100;

export interface UnpaidDeps {
  store: InvestmentStore;
  wallet: Pick<Wallet, "getWalletAccount">;
  accrual: Pick<Accrual, "catchUp">;
  log: Logger;
}

export type UnpaidHoldings = ReturnType<typeof createUnpaidHoldings>;

/**
 * Holdings whose due payment could not be made: owed, shown to staff, and tried again once a day.
 */
export function createUnpaidHoldings({ store, wallet, accrual, log }: UnpaidDeps) {
  async function canBePaid(tenantId: string, { holdingId, walletAccountId }: UntriedHolding): Promise<boolean> {
    const call = outgoing({ tenantId, interactionId: `unpaid:${holdingId}` });
    const { account } = await wallet.getWalletAccount({ accountId: walletAccountId }, call).catch((error: unknown) => {
      if (error instanceof Refusal && error.code.endsWith("NOT_FOUND")) return { account: undefined };
      throw error;
    });
    return account !== undefined && account.status !== "CLOSED";
  }

  async function tryAgain(tenantId: string, holding: UntriedHolding, today: Temporal.PlainDate): Promise<void> {
    const tenant = store.forTenant(tenantId);
    if (await canBePaid(tenantId, holding)) {
      await tenant.clearUnpaid(holding);
      return accrual.catchUp(tenantId, holding.holdingId);
    }
    await tenant.noteTried(holding, today.toString());
    const { holdingId, since } = holding;
    log.warn({ tenantId, holdingId, since }, "what is due cannot be paid: its wallet is closed");
  }

  return {
    /**
     * Asks of each holding once a day whether its wallet takes money again. Safe beside itself.
     * Throws while wallet is away.
     */
    async retry(tenantId: string, today: Temporal.PlainDate): Promise<void> {
      const tenant = store.forTenant(tenantId);
      for (;;) {
        const holdings = await tenant.untriedUnpaid(today.toString(), batchSize);
        for (const holding of holdings) {
          await tryAgain(tenantId, holding, today).catch(async (error: unknown) => {
            if (passesByItself(error)) throw error;
            leaveRow(log, "unpaid holdings", { tenantId, holdingId: holding.holdingId }, error);
            // It has its turn again tomorrow, as those whose wallet is closed.
            await tenant.noteTried(holding, today.toString());
          });
        }
        if (holdings.length < batchSize) return;
      }
    },
  };
}
