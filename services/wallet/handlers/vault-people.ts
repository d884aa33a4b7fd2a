import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { CashOrder, VaultPerson } from "../domain/cash-order.js";
import { house } from "../domain/vault.js";
import type { WalletDeps } from "./deps.js";

/** Who calls, and where they work. */
export async function vaultPersonOf({ store }: Pick<WalletDeps, "store">, call: Call): Promise<VaultPerson> {
  const { userId, role } = requireUser(call);
  const isManager = role === "MANAGER";
  const branch = isManager ? house : await store.forTenant(call.tenantId).branchOf(userId);
  return { userId, isManager, branch };
}

/** Refuses NOT_FOUND. */
export async function foundCashOrder(store: WalletDeps["store"], orderId: string, call: Call): Promise<CashOrder> {
  const found = await store.forTenant(call.tenantId).findCashOrder(textFromWire(orderId, "orderId"));
  if (found === undefined) throw new Refusal("NOT_FOUND", "no such order");
  return found;
}

/** Refuses FORBIDDEN. */
export function assertMay(may: boolean): void {
  if (!may) throw new Refusal("FORBIDDEN", "this is another branch's");
}
