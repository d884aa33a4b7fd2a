import { writeFile, mkdtemp } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aboveTenants, inTenant, startTestIdentity } from "../../test/support/identity.js";
import type { OperatorClients } from "../local/operator-clients.js";
import { applyFixture } from "./apply.js";
import { checkFixture, FixtureFaults, fixtureFolder, readFixture } from "./fixture.js";
import type { Fixture } from "./fixture-schema.js";

const preference = { baseCurrency: "USD", currencies: ["USD"], countries: ["USA"], timeZone: "UTC", locale: "en" };
const tenant = { id: "one", name: "One", hosts: ["one.example"], preference };

function faultsOf(content: unknown): string[] {
  try {
    checkFixture("test", content);
  } catch (error) {
    if (error instanceof FixtureFaults) return error.faults.map(({ path, message }) => `${path} ${message}`);
    throw error;
  }
  return [];
}

describe("a fixture", () => {
  test("of the repository is faultless and has what the demo promises", async () => {
    const { tenants } = await readFixture(join(fixtureFolder, "demo.yaml"));
    expect(tenants).toHaveLength(2);
    for (const { staff = [], customers = [] } of tenants) {
      expect(staff.map(({ role }) => role).toSorted()).toEqual(["AGENT", "CASHIER", "MANAGER", "MANAGER"]);
      expect(customers.length).toBeGreaterThan(0);
      for (const { email, dateOfBirth, nationality, address, identityDocuments } of customers) {
        const known = { dateOfBirth, nationality, address, identityDocuments };
        expect([email, Object.values(known).includes(undefined)]).toEqual([email, false]);
      }
    }
    for (const customer of tenants[0]?.customers ?? []) {
      expect(customer.wallets?.map(({ currency }) => currency).toSorted()).toEqual(["EUR", "GBP", "KES", "NGN", "USD"]);
      const countries = customer.beneficiaries?.map(({ country }) => country) ?? [];
      expect([...new Set(countries)].toSorted()).toEqual(["GBR", "KEN", "NGA"]);
    }
    const toWallets = tenants[0]?.customers?.flatMap(({ beneficiaries = [] }) => beneficiaries) ?? [];
    expect(toWallets.filter(({ deliveryMethods }) => deliveryMethods.includes("WALLET"))).toHaveLength(1);
  });

  test("names every fault by its path, not only the first", async () => {
    const faults = faultsOf({
      tenants: [{ ...tenant, id: "Not Good", preference: { ...preference, baseCurrency: "dollar" }, colour: "red" }],
    });
    expect(faults).toEqual(
      expect.arrayContaining([
        expect.stringContaining("/tenants/0/id "),
        expect.stringContaining("/tenants/0/preference/baseCurrency "),
        expect.stringMatching(/^\/tenants\/0 .*colour/),
      ]),
    );
  });

  test("takes money as quoted decimal text only", async () => {
    const corridor = {
      originCountry: "USA",
      sendCurrency: "USD",
      receivingCountry: "NGA",
      receivingCurrency: "NGN",
      types: ["ACCOUNTPAYMENT"],
      minimumAmount: 1.5,
      maximumAmount: "1e3",
    };
    const faults = faultsOf({ tenants: [{ ...tenant, corridors: [corridor] }] });
    expect(faults).toEqual([
      expect.stringContaining("/tenants/0/corridors/0/minimumAmount must be string"),
      expect.stringContaining("/tenants/0/corridors/0/maximumAmount must match pattern"),
    ]);
  });

  test("refuses details that no customer can have, by path", async () => {
    const customer = { email: "a@x.example", password: "long enough", firstName: "A", lastName: "B", country: "USA" };
    const wrong = {
      dateOfBirth: "30.04.1990",
      address: { lines: [], city: "Kano", country: "NGA" },
      identityDocuments: [{ type: "LIBRARY_CARD", number: "1", country: "NGA" }],
    };
    const requiredDetails = [{ detail: "SHOE_SIZE", at: "REGISTRATION" }];
    const content = { ...tenant, preference: { ...preference, requiredDetails } };
    expect(faultsOf({ tenants: [{ ...content, customers: [{ ...customer, code: "C-A", ...wrong }] }] })).toEqual([
      expect.stringContaining("/tenants/0/preference/requiredDetails/0/detail must be equal"),
      expect.stringContaining("/tenants/0/customers/0/dateOfBirth must match pattern"),
      expect.stringContaining("/tenants/0/customers/0/address/lines must NOT have fewer"),
      expect.stringContaining("/tenants/0/customers/0/identityDocuments/0/type must be equal"),
    ]);
  });

  test("refuses an agent who is not on the staff, an e-mail that stands there twice, and a wallet that nobody has", async () => {
    const customer = {
      email: "a@x.example",
      password: "long enough",
      firstName: "A",
      lastName: "B",
      country: "USA",
      code: "C-A",
    };
    const toWallet = (walletaccountno: string) => ({
      code: "B",
      firstName: "B",
      lastName: "C",
      country: "KEN",
      currency: "KES",
      deliveryMethods: ["WALLET"],
      creditParty: { walletaccountno },
    });
    const faults = faultsOf({
      tenants: [
        {
          ...tenant,
          customers: [
            { ...customer, agent: "nobody@x.example", beneficiaries: [toWallet("a@x.example")] },
            { ...customer, code: "C-B", wallets: [{ currency: "KES" }], beneficiaries: [toWallet("b@x.example")] },
          ],
        },
      ],
    });
    expect(faults).toEqual([
      expect.stringContaining('email "a@x.example" stands there twice'),
      expect.stringContaining("/tenants/0/customers/0/beneficiaries/0/creditParty/walletaccountno"),
      expect.stringContaining("/tenants/0/customers/0/agent"),
      expect.stringContaining("/tenants/0/customers/1/beneficiaries/0/creditParty/walletaccountno"),
    ]);
  });

  test("that is nested deeper than any is one clear fault, also where it is deeper than a parser goes", async () => {
    const file = join(await mkdtemp(join(tmpdir(), "fixture-")), "deep.json");
    for (const levels of [33, 100_000]) {
      await writeFile(file, "[".repeat(levels) + "]".repeat(levels));
      await expect(readFixture(file)).rejects.toMatchObject({ faults: [{ path: "/" }] });
    }
  });

  test("that is missing or no YAML is one clear fault", async () => {
    await expect(readFixture("/no/such/file.yaml")).rejects.toThrow(FixtureFaults);
    const file = join(await mkdtemp(join(tmpdir(), "fixture-")), "broken.yaml");
    await writeFile(file, "tenants: [");
    await expect(readFixture(file)).rejects.toMatchObject({ faults: [{ path: "/" }] });
  });
});

test("the demo that is loaded again leaves a preference as people changed it; a fixture of one's own puts what it says", async () => {
  const identity = await startTestIdentity();
  try {
    const id = `t-${randomUUID().slice(0, 8)}`;
    const fixture = { tenants: [{ ...tenant, id, hosts: [`${id}.example`] }] } as unknown as Fixture;
    const clients = { identity: identity.rpc.operator } as unknown as OperatorClients;
    const zone = async () =>
      (await identity.rpc.operator.getOrganisationPreference({}, inTenant(id))).tenant?.preference?.timeZone;
    const load = async (keepsPreferences: boolean) => {
      expect((await applyFixture(fixture, clients, undefined, { keepsPreferences })).faults).toEqual([]);
      return zone();
    };
    expect(await load(true)).toBe("UTC");
    const { tenant: known } = await identity.rpc.operator.getOrganisationPreference({}, inTenant(id));
    const changed = { ...known!, preference: { ...known!.preference!, timeZone: "Africa/Lagos" } };
    await identity.rpc.operator.putTenant({ tenant: changed }, aboveTenants());
    expect(await load(true)).toBe("Africa/Lagos");
    expect(await load(false)).toBe("UTC");
  } finally {
    await identity.stop();
  }
});
