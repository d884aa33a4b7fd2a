import { randomUUID } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import type { UserRecord } from "../../../services/identity/domain/people.js";
import type { PersonalDetails } from "../../../services/identity/domain/personal-details.js";
import { createCustomerSealing } from "../../../services/identity/store/customer-sealing.js";
import type { StoredUserDocument } from "../../../services/identity/store/collections.js";
import { insertAll, templateOf, type Databases } from "./databases.js";
import type { Tenant } from "./world.js";

export interface Customer {
  userId: string;
  customerId: string;
  code: string;
  name: string;
  accountId: string;
  accountNumber: string;
}

const firstNames =
  "Mohammed Amina Adebayo Chidi Ngozi Kofi Fatima Ibrahim Grace Emeka Yetunde Musa Adaeze Samuel Blessing Ahmed Ada Kwame Zainab David Mary Ifeoma Abdul John Sarah Tunde Halima Peter Akua Bola Esther Uche Joseph Ruth Sadiq Wanjiru Otieno Achieng Baraka Xolani".split(
    " ",
  );
const lastNames =
  "Okafor Bello Mensah Adeyemi Ibrahim Okonkwo Mohammed Eze Balogun Owusu Abubakar Nwosu Osei Adebayo Sani Obi Lawal Asante Okoye Yusuf Boateng Ojo Umar Nnamdi Afolabi Kamau Otieno Mwangi Njoroge Odhiambo Danjuma Achebe Soyinka Adichie Ekwueme Mbeki Nkosi Dlamini Quartey Zwane".split(
    " ",
  );

/** Few names are of many and many are of few, as among people; the same ones at every run. */
function pick<T>(from: readonly T[], index: number, salt: number): T {
  const share = (((index + 1) * 2_654_435_761 * salt) % 4_294_967_296) / 4_294_967_296;
  return from[Math.floor(from.length * share ** 2)]!;
}

/** Days of birth of fifty years, and a document of each. */
function bornAndKnown(index: number): Pick<PersonalDetails, "dateOfBirth" | "identityDocuments"> {
  const dateOfBirth = new Date(Date.UTC(1950, 0, 1 + ((index * 7_919) % 18_262))).toISOString().slice(0, 10);
  const number = `A${String(10_000_000 + index)}`;
  return { dateOfBirth, identityDocuments: [{ type: "PASSPORT", number, country: "NGA" }] };
}

/**
 * Customers with details and search words, whom compliance has confirmed, each with a
 * wallet: Amina of the fixture and Kofi multiplied, sealed as identity seals them.
 * They have the password of Kofi.
 */
export async function addCustomers(databases: Databases, tenant: Tenant): Promise<Customer[]> {
  const { identity, compliance, wallet, people } = databases;
  const tenantId = tenant.id;
  const sealing = createCustomerSealing(people, tenantId);
  const { _id: knownId, ...user } = await templateOf<StoredUserDocument>(identity, "users", {
    tenantId,
    "customer.code": "C-KOFI",
  });
  const known = sealing.opened({ userId: knownId, ...user }) as UserRecord & {
    customer: NonNullable<UserRecord["customer"]>;
  };
  const staff = await templateOf<{ _id: string }>(identity, "users", { tenantId, role: "AGENT" });
  const of = { tenantId, customerId: known.customer.id };
  const status = await templateOf<{ _id: unknown }>(compliance, "customer_statuses", of);
  const account = await templateOf<{ _id: string }>(wallet, "wallet_accounts", { ...of, currency: "USD" });
  const made = Array.from({ length: tenant.customers }, (_, index): Customer & { first: string; last: string } => {
    const [first, last] = [pick(firstNames, index, 1), pick(lastNames, index, 7)];
    return {
      userId: uuidv7(),
      customerId: randomUUID(),
      code: `C-${String(index).padStart(8, "0")}`,
      name: `${first} ${last}`,
      first,
      last,
      accountId: uuidv7(),
      accountNumber: String(6_000_000_000 + index),
    };
  });
  await insertAll(identity, "users", made.length, (index) => {
    const { userId, customerId, code, name, first, last } = made[index]!;
    const email = `${first}.${last}.${index}@x.example`.toLowerCase();
    const { agentId: _agent, standing, ...customer } = known.customer;
    const { userId: _id, ...sealed } = sealing.sealed({
      ...known,
      userId,
      email,
      emailKey: email,
      name,
      // What compliance does with so many new people is measured elsewhere
      // (rescreen.md), and must not run beside this.
      isIntroduced: true,
      customer: {
        ...customer,
        id: customerId,
        code,
        firstName: first,
        lastName: last,
        phoneNumber: `+23480${String(10_000_000 + index)}`,
        details: { ...customer.details, ...bornAndKnown(index) },
        // One of a hundred waits for compliance; one of five is an agent's.
        ...(index % 100 !== 0 && standing !== undefined && { standing }),
        ...(index % 5 === 0 && { agentId: staff._id }),
      },
    });
    return { _id, ...sealed, tenantId };
  });
  const { _id: _status, ...plainStatus } = status;
  await insertAll(compliance, "customer_statuses", made.length, (index) => ({
    ...plainStatus,
    customerId: made[index]!.customerId,
  }));
  const { _id: _account, ...plainAccount } = account;
  await insertAll(wallet, "wallet_accounts", made.length, (index) => {
    const { accountId, accountNumber, customerId, userId } = made[index]!;
    return { _id: accountId, ...plainAccount, accountNumber, customerId, caller: userId, idempotencyKey: accountId };
  });
  return made;
}
