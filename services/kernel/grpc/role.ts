/** What a person may be to a tenant. */
export type Role = "MANAGER" | "AGENT" | "CASHIER" | "CUSTOMER";
