import type { InvestmentServiceDefinition } from "../../../proto/gen/investment/v1/investment.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { applicationHandlers } from "./applications.js";
import { applyHandlers } from "./apply.js";
import type { InvestmentDeps } from "./deps.js";
import { dividendHandlers } from "./dividends.js";
import { holdingHandlers } from "./holdings.js";
import { payoutWalletHandlers } from "./payout-wallet.js";
import { productHandlers } from "./products.js";
import { reconciliationHandlers } from "./reconciliation.js";
import { redeemHandlers } from "./redeem.js";
import { totalsHandlers } from "./totals.js";

/** The rpcs of investment. */
export const investmentHandlers = (deps: InvestmentDeps): Handlers<InvestmentServiceDefinition> => ({
  ...productHandlers(deps),
  ...applyHandlers(deps),
  ...applicationHandlers(deps),
  ...holdingHandlers(deps),
  ...redeemHandlers(deps),
  ...payoutWalletHandlers(deps),
  ...totalsHandlers(deps),
  ...dividendHandlers(deps),
  ...reconciliationHandlers(deps),
});
