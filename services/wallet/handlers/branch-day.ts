import type { BranchCashServiceDefinition } from "../../../proto/gen/wallet/v1/branch_cash.js";
import { outgoing } from "../../kernel/grpc/client.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { Refusal } from "../../kernel/refusal.js";
import {
  isInTransit,
  sumsOfDay,
  sumsSince,
  totalOf,
  transitLines,
  wasClosed,
  type DaySums,
} from "../domain/branch-day.js";
import { transitAccount } from "../domain/cash-order.js";
import { tillAccount, type Till } from "../domain/till.js";
import { vaultAccount } from "../domain/vault.js";
import { dayTillToWire, daySumsToWire } from "../wire/branch-day.js";
import { cashOrderToWire } from "../wire/cash-orders.js";
import { assertBranch } from "./branches.js";
import { businessDayOf } from "./business-day.js";
import type { WalletDeps } from "./deps.js";

/** A till that was open in a day, with what it had. */
interface TillOfDay {
  readonly till: Till;
  readonly sums: DaySums;
  readonly isClosed: boolean;
}

/** What a branch had when a business day began and ended, beside what the ledger has. */
export function branchDayHandlers(deps: WalletDeps) {
  const { store, ledger } = deps;

  async function tillsOf(branch: string, date: string, call: Call): Promise<TillOfDay[]> {
    const wallet = store.forTenant(call.tenantId);
    const tills = await wallet.tillsOfBranch(branch, date);
    const since = await wallet.tillSumsSince(tills, date);
    return tills.flatMap((till) => {
      const sums = sumsSince(till, since.get(till.tillId) ?? []);
      const isClosed = wasClosed(till, date);
      // One that was closed before the day has nothing in it.
      return isClosed && sums.lines.length === 0 ? [] : [{ till, sums, isClosed }];
    });
  }

  /** What the ledger has in cash by the end of a day; nothing where it has no such account. */
  async function inLedger(accountId: string, effectiveDate: string, call: Call): Promise<bigint> {
    const request = { accountId, effectiveDate };
    try {
      return (await ledger.getBalance(request, outgoing(call))).balanceMinor;
    } catch (error) {
      if (error instanceof Refusal && error.code === "ACCOUNT_NOT_FOUND") return 0n;
      throw error;
    }
  }

  return {
    /** Refuses INVALID_INPUT for a branch that is not there. */
    async getBranchDay(request, call) {
      const branch = await assertBranch(deps, request.branchCode, "branchCode", call, { mayBeOff: true });
      const date = (await businessDayOf(deps, request.date, call)).toString();
      const wallet = store.forTenant(call.tenantId);
      const [tills, orders, kept] = await Promise.all([
        tillsOf(branch, date, call),
        wallet.ordersInTransit(branch, date),
        wallet.vaultsOf(branch),
      ]);
      const vaults = await Promise.all(
        kept.map(async (vault) => {
          const { currency } = vault;
          const sums = sumsSince(vault, await wallet.vaultSumsSince(vault, date));
          const ledgerMinor = await inLedger(vaultAccount(branch, currency).accountId, date, call);
          return { currency, sums, ledgerMinor };
        }),
      );
      const totals = await Promise.all(
        vaults.map(async ({ currency, sums: inVault, ledgerMinor }) => {
          const own = tills.filter(({ till }) => till.currency === currency);
          const transit = sumsOfDay(transitLines(orders, branch, currency), date);
          // Of a till that is closed nothing is left, and its holder may have one elsewhere by now.
          const open = own.filter(({ isClosed }) => !isClosed).map(({ till }) => tillAccount(till).accountId);
          const accounts = [...open, transitAccount(branch, currency).accountId];
          const others = await Promise.all(accounts.map((accountId) => inLedger(accountId, date, call)));
          return {
            ...daySumsToWire(totalOf([inVault, transit, ...own.map(({ sums }) => sums)]), currency),
            inTillsMinor: own.reduce((minor, { sums }) => minor + sums.closingMinor, 0n),
            inVaultMinor: inVault.closingMinor,
            inTransitMinor: transit.closingMinor,
            ledgerMinor: others.reduce((minor, one) => minor + one, ledgerMinor),
          };
        }),
      );
      const day = {
        branchCode: branch,
        date,
        allClosed: tills.every(({ isClosed }) => isClosed),
        tills: tills.map(({ till, sums, isClosed }) => dayTillToWire(till, sums, isClosed)),
        vaults: vaults.map(({ currency, sums, ledgerMinor }) => ({ ...daySumsToWire(sums, currency), ledgerMinor })),
        inTransit: orders.filter((order) => isInTransit(order, date)).map(cashOrderToWire),
        totals,
      };
      return { day };
    },
  } satisfies Partial<Handlers<BranchCashServiceDefinition>>;
}
