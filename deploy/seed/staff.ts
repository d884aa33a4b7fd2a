import { Role } from "../../proto/gen/identity/v1/identity.js";
import type { FixtureTenant } from "./fixture-schema.js";
import type { SeedTarget } from "./target.js";

interface SeededStaff {
  email: string;
  password: string;
  role: string;
  name: string;
  userId: string;
}

/** Returns the staff, and the ids of agents by e-mail; `below` ends each path in the fixture. */
export async function seedStaff(tenant: FixtureTenant, below: string, { clients, call, step }: SeedTarget) {
  const users: SeededStaff[] = [];
  const agents = new Map<string, string>();
  for (const [index, staff] of (tenant.staff ?? []).entries()) {
    const { email, password, name } = staff;
    const request = { idempotencyKey: `seed:${email}`, email, password, name, role: Role[`ROLE_${staff.role}`] };
    const created = await step(`/staff/${index}${below}`, () => clients.identity.createStaffUser(request, call()));
    const userId = created?.user?.userId;
    if (userId === undefined) continue;
    users.push({ email, password, role: staff.role, name, userId });
    if (staff.role === "AGENT") agents.set(email, userId);
  }
  return { users, agents };
}
