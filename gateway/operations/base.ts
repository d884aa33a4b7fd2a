import type { Role } from "../../services/kernel/grpc/context.js";

/**
 * Address family of security, compliance, transactions, payments, beneficiaries, ledger, branches
 * and admin.
 */
export const v6 = "/api/v6/services";

/** Address family of investments. */
export const v1User = "/api/v1/user";

export const everyRole: readonly Role[] = ["MANAGER", "AGENT", "CASHIER", "CUSTOMER"];
export const staffRoles: readonly Role[] = ["MANAGER", "AGENT", "CASHIER"];
