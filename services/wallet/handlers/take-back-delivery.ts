import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import type { Ledger } from "../clients/neighbours.js";
import type { WalletStore } from "../store/index.js";

interface TakeBackDeps {
  store: WalletStore;
  ledger: Pick<Ledger, "getTransfer" | "postTransfers">;
}

// What the ledger decides about the wallet, for ever under this key.
const decisions: readonly string[] = ["INSUFFICIENT_FUNDS", "ACCOUNT_CLOSED"];

/**
 * Takes a delivery of remittance out of a wallet again, whole and once, by the ledger's reversal of
 * that transfer. A frozen wallet gives it back too, since a second member of staff approved it.
 * Refuses ACCOUNT_NOT_FOUND, STATE_CONFLICT.
 */
export function deliveryHandlers({ store, ledger }: TakeBackDeps) {
  return {
    async takeBackDelivery(request, call) {
      const accountId = textFromWire(request.accountId, "accountId");
      const deliveryKey = textFromWire(request.deliveryKey, "deliveryKey");
      const key = textFromWire(request.key, "key");
      if ((await store.forTenant(call.tenantId).findAccount(accountId)) === undefined) {
        throw new Refusal("ACCOUNT_NOT_FOUND", "no such wallet account");
      }
      const { transfer } = (await ledger.getTransfer({ key: deliveryKey }, outgoing(call))).transfer ?? {};
      if (transfer?.creditAccountId !== accountId || transfer.kind !== "settlement") {
        throw new Refusal("STATE_CONFLICT", "this transfer delivered nothing into this wallet");
      }
      const description = `Taken back: ${transfer.description}`;
      const reversal = { key, reversesKey: deliveryKey, kind: "delivery_return", description };
      const transfers = [{ ...reversal, mode: "TRANSFER_MODE_REVERSAL" as const }];
      const { results } = await ledger.postTransfers(
        { groups: [{ transfers }], createdBy: "remittance" },
        outgoing(call),
      );
      const [result] = results;
      if (result?.posted !== undefined) return { refusedCode: "" };
      const { code = "", message = "no result" } = result?.refused ?? {};
      if (decisions.includes(code)) return { refusedCode: code };
      throw new Error(`the ledger refused to reverse ${deliveryKey}: ${code} ${message}`);
    },
  } satisfies Partial<Handlers<WalletServiceDefinition>>;
}
