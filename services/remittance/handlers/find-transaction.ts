import { Refusal } from "../../kernel/refusal.js";
import type { TenantStore } from "../store/index.js";
import type { Transaction } from "../domain/transaction.js";

/** By its id, or by the code that is on its receipt. Refuses TRANSACTION_NOT_FOUND. */
export async function findByIdOrCode(tenant: TenantStore, idOrCode: string): Promise<Transaction> {
  const found =
    (await tenant.findTransaction(idOrCode)) ?? (await tenant.findTransactionByCode(idOrCode.toUpperCase()));
  if (found === undefined) throw new Refusal("TRANSACTION_NOT_FOUND", "no such transaction");
  return found;
}
