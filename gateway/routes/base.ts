import type { Role } from "../../services/shared/grpc/context.js";

/** Address family of security, compliance, transactions, payments, beneficiaries, ledger, branches and admin. */
export const v6 = "/api/v6/services";

export const everyRole: readonly Role[] = ["MANAGER", "AGENT", "CASHIER", "CUSTOMER"];
