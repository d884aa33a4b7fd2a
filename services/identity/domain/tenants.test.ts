import { tenantDraft } from "../../../test/support/identity-drafts.js";
import { businessClock, canonicalHost, movedOnMs, parseTenant as parse, type TenantDraft } from "./tenants.js";

const parseTenant = (tenant: TenantDraft) => parse(tenant, new Map([["JPY", 5_000n]]));

const draft = tenantDraft("acme");
const withPreference = (change: object) => ({ ...draft, preference: { ...draft.preference, ...change } });

function pathsOf(parse: () => unknown): string[] {
  try {
    parse();
  } catch (error) {
    return (error as { details: { errors: { path: string }[] } }).details.errors.map(({ path }) => path);
  }
  return [];
}

test("countries become alpha-3, the locale canonical, and the agents' scope has a default", () => {
  const { preference } = parseTenant(
    withPreference({ countries: ["NG", "USA", "NGA"], locale: "en-ng", agentScope: "" }),
  );
  expect(preference).toMatchObject({ countries: ["NGA", "USA"], locale: "en-NG" });
  expect(preference).not.toHaveProperty("agentScope");
});

test.each([
  ["tenantId", { ...draft, tenantId: "A" }],
  ["tenantId", { ...draft, tenantId: "a_b" }],
  ["name", { ...draft, name: " " }],
  ["hosts[0]", { ...draft, hosts: ["Acme.example"] }],
  ["hosts[1]", { ...draft, hosts: ["acme.example", "acme.example:8080"] }],
  ["hosts[0]", { ...draft, hosts: ["-acme.example"] }],
  ["hosts[0]", { ...draft, hosts: [""] }],
  ["hosts", { ...draft, hosts: ["acme.example", "acme.example"] }],
  ["preference.baseCurrency", withPreference({ baseCurrency: "usd", currencies: ["usd"] })],
  ["preference.currencies", withPreference({ currencies: ["NGN"] })],
  ["preference.currencies[1]", withPreference({ currencies: ["USD", "XYZ"] })],
  ["preference.countries[0]", withPreference({ countries: ["XX"] })],
  ["preference.timeZone", withPreference({ timeZone: "Mars/Olympus" })],
  ["preference.timeZone", withPreference({ timeZone: "+01:00" })],
  ["preference.timeZone", withPreference({ timeZone: "" })],
  ["preference.locale", withPreference({ locale: "no_such_locale!" })],
  ["preference.locale", withPreference({ locale: "" })],
  ["preference.agentScope", withPreference({ agentScope: "ALL" })],
  ["preference.amountCeilings[0].amount", withPreference({ amountCeilings: [{ minor: 0n, currency: "USD" }] })],
  ["preference.amountCeilings[0].amount", withPreference({ amountCeilings: [{ minor: 5_001n, currency: "JPY" }] })],
  [
    "preference.amountCeilings[0].amount",
    withPreference({ amountCeilings: [{ minor: 10n ** 13n + 1n, currency: "USD" }] }),
  ],
  [
    "preference.amountCeilings[1].currency",
    withPreference({
      amountCeilings: [
        { minor: 2n, currency: "USD" },
        { minor: 1n, currency: "USD" },
      ],
    }),
  ],
])("refuses a faulty %s", (path, tenant) => {
  expect(pathsOf(() => parseTenant(tenant))).toContain(path);
});

test("names every fault at once", () => {
  const faulty = { ...withPreference({ timeZone: "x", locale: "" }), name: "", tenantId: "" };
  expect(pathsOf(() => parseTenant(faulty))).toEqual(["tenantId", "name", "preference.timeZone", "preference.locale"]);
});

test("a host is looked up without case, port and final dot", () => {
  expect(canonicalHost("LocalHost:8080")).toBe("localhost");
  expect(canonicalHost("acme.example.")).toBe("acme.example");
  expect(canonicalHost("127.0.0.1:80")).toBe("127.0.0.1");
});

test.each<[string, string, number, string]>([
  ["an hour more, where clocks go back", "2026-10-24T22:30:00Z", 1, "2026-10-25T23:30:00Z"],
  ["an hour less, where clocks go forward", "2026-03-28T12:00:00Z", 1, "2026-03-29T11:00:00Z"],
  ["the same hour, half a year later", "2026-06-30T22:00:00Z", 183, "2026-12-30T23:00:00Z"],
  ["no hour that there is not", "2026-03-28T01:30:00Z", 1, "2026-03-29T01:30:00Z"],
])("business time is moved on by days of the calendar: %s", (_name, now, days, expected) => {
  const at = new Date(now);
  const aheadMs = movedOnMs(at, "Europe/Berlin", 0, days);
  const { businessTime, businessDate } = businessClock(at, "Europe/Berlin", aheadMs);
  expect(businessTime).toEqual(new Date(expected));
  const before = Temporal.PlainDate.from(businessClock(at, "Europe/Berlin", 0).businessDate);
  expect(businessDate).toBe(before.add({ days }).toString());
});
