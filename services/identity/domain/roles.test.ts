import { agentOfNewCustomer, assertMayCreate, permissionsOf, roles, type Creator } from "./roles.js";

// §5.4 of the contract, word for word.
test.each([
  [
    "MANAGER",
    "users:read, users:write, transactions:read, transactions:write, reports:read, settings:write, webhooks:manage",
  ],
  [
    "AGENT",
    "transactions:read, transactions:create, transactions:update, customers:read, customers:verify, kyc:perform, reports:read",
  ],
  ["CASHIER", "transactions:create, transactions:read, payments:process, cash:handle, receipts:print"],
  [
    "CUSTOMER",
    "profile:read, profile:update, transactions:create, transactions:read:own, beneficiaries:manage, quotes:request",
  ],
] as const)("the permissions of %s are the contract's", (role, list) => {
  expect(permissionsOf(role).join(", ")).toBe(list);
});

const allowed: Record<Creator, string[]> = {
  operator: ["MANAGER", "AGENT", "CASHIER", "CUSTOMER"],
  MANAGER: ["AGENT", "CASHIER", "CUSTOMER"],
  AGENT: ["CUSTOMER"],
  CASHIER: ["CUSTOMER"],
  CUSTOMER: [],
};

describe.each(Object.keys(allowed) as Creator[])("%s", (creator) => {
  test.each([...roles])("creates a %s only where the decisions say so", (role) => {
    const create = () => assertMayCreate(creator, role);
    if (allowed[creator].includes(role)) expect(create).not.toThrow();
    else expect(create).toThrow(expect.objectContaining({ code: "FORBIDDEN" }));
  });
});

test("an AGENT's customers are the AGENT's own", () => {
  expect(agentOfNewCustomer("AGENT", "a1", "")).toBe("a1");
  expect(agentOfNewCustomer("AGENT", "a1", "a1")).toBe("a1");
  expect(() => agentOfNewCustomer("AGENT", "a1", "a2")).toThrow(expect.objectContaining({ code: "FORBIDDEN" }));
});

test("only a MANAGER or the operator assigns an agent", () => {
  expect(agentOfNewCustomer("MANAGER", "m1", "a1")).toBe("a1");
  expect(agentOfNewCustomer("operator", "operator", "a1")).toBe("a1");
  expect(agentOfNewCustomer("CASHIER", "c1", "")).toBeUndefined();
  expect(() => agentOfNewCustomer("CASHIER", "c1", "a1")).toThrow(expect.objectContaining({ code: "FORBIDDEN" }));
});
