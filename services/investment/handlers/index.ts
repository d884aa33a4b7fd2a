import type { InvestmentServiceDefinition } from "../../../proto/gen/investment/v1/investment.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { applicationHandlers } from "./applications.js";
import { apply } from "./apply.js";
import type { InvestmentDeps } from "./deps.js";
import { dividendHandlers } from "./dividends.js";
import { holdingHandlers } from "./holdings.js";
import { setPayoutWallet } from "./payout-wallet.js";
import { productHandlers } from "./products.js";
import { reconciliationHandlers } from "./reconciliation.js";
import { redeemHolding } from "./redeem.js";
import { totalsHandlers } from "./totals.js";

export type { InvestmentDeps } from "./deps.js";

export function createInvestmentHandlers(deps: InvestmentDeps): Handlers<InvestmentServiceDefinition> {
  return {
    ...productHandlers(deps),
    apply: apply(deps),
    ...applicationHandlers(deps),
    ...holdingHandlers(deps),
    redeemHolding: redeemHolding(deps),
    setPayoutWallet: setPayoutWallet(deps),
    ...totalsHandlers(deps),
    ...dividendHandlers(deps),
    ...reconciliationHandlers(deps),
  };
}
