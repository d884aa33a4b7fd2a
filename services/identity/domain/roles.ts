import { Refusal } from "../../kernel/refusal.js";

export const roles = ["MANAGER", "AGENT", "CASHIER", "CUSTOMER"] as const;
export type Role = (typeof roles)[number];

/** Who creates a user: the operator's credential, or a user of the tenant. */
export type Creator = "operator" | Role;

// §5.4 of the contract, exactly and in its order.
const permissions: Record<Role, readonly string[]> = {
  MANAGER: [
    "users:read",
    "users:write",
    "transactions:read",
    "transactions:write",
    "reports:read",
    "settings:write",
    "webhooks:manage",
  ],
  AGENT: [
    "transactions:read",
    "transactions:create",
    "transactions:update",
    "customers:read",
    "customers:verify",
    "kyc:perform",
    "reports:read",
  ],
  CASHIER: ["transactions:create", "transactions:read", "payments:process", "cash:handle", "receipts:print"],
  CUSTOMER: [
    "profile:read",
    "profile:update",
    "transactions:create",
    "transactions:read:own",
    "beneficiaries:manage",
    "quotes:request",
  ],
};

// "Manage users" of the decisions: nobody grants their own role or one above it.
const mayCreate: Record<Creator, readonly Role[]> = {
  operator: ["MANAGER", "AGENT", "CASHIER", "CUSTOMER"],
  MANAGER: ["AGENT", "CASHIER", "CUSTOMER"],
  AGENT: ["CUSTOMER"],
  CASHIER: ["CUSTOMER"],
  CUSTOMER: [],
};

/**
 * Whom somebody may disable, enable or change: "Manage users" of the decisions. Refuses FORBIDDEN.
 */
export function assertMayManage(
  manager: { role: Creator; userId: string },
  target: { role: Role; userId: string; agentId?: string | undefined },
  agentScope: "MANAGED" | "TENANT" | undefined,
): void {
  const { role, userId } = manager;
  const ofOwn = role !== "AGENT" || target.agentId === userId || agentScope === "TENANT";
  if (target.userId === userId || !mayCreate[role].includes(target.role) || !ofOwn) {
    throw new Refusal("FORBIDDEN", "this user is not among those that you manage");
  }
}

/** Refuses FORBIDDEN where an AGENT serves nobody at the counter. */
export function assertServesCounter(role: Role, { agentCounterSales }: { agentCounterSales: boolean }): void {
  if (role === "AGENT" && !agentCounterSales) {
    throw new Refusal("FORBIDDEN", "agents do not serve customers at the counter here");
  }
}

/** The permission strings that login returns for a role. */
export function permissionsOf(role: Role): readonly string[] {
  return permissions[role];
}

/** Refuses FORBIDDEN unless the creator may make users of this role. */
export function assertMayCreate(creator: Creator, role: Role): void {
  if (!mayCreate[creator].includes(role)) {
    throw new Refusal("FORBIDDEN", `${creator} may not create a user with the role ${role}`);
  }
}

/**
 * The agent of a customer about to be registered: an AGENT's own; a MANAGER or the operator may
 * name one. Refuses FORBIDDEN.
 */
export function agentOfNewCustomer(creator: Creator, creatorId: string, requested: string): string | undefined {
  if (creator === "AGENT") {
    if (requested !== "" && requested !== creatorId) {
      throw new Refusal("FORBIDDEN", "an AGENT registers customers of their own only");
    }
    return creatorId;
  }
  if (requested === "") return undefined;
  if (creator !== "operator" && creator !== "MANAGER") {
    throw new Refusal("FORBIDDEN", "only a MANAGER assigns a customer to an agent");
  }
  return requested;
}
