import { randomUUID } from "node:crypto";
import { registration } from "../../../test/support/identity-drafts.js";
import { inTenant, type TestIdentity } from "../../../test/support/identity.js";
import {
  details,
  faultsAt,
  stored,
  officeOf,
  passport,
  startTellingIdentity,
  type Details,
} from "../../../test/support/identity-details.js";
import { waitFor } from "../../../test/support/index.js";

let world: Awaited<ReturnType<typeof startTellingIdentity>>;
let identity: TestIdentity;
beforeAll(async () => {
  world = await startTellingIdentity();
  ({ identity } = world);
});
afterAll(() => world.stop());

const office = (change: Parameters<typeof officeOf>[1] = {}) => officeOf(identity, change);
const refused = (code: string) => expect.objectContaining({ code });

describe("what a tenant requires at registration", () => {
  const required = [
    { detail: "DATE_OF_BIRTH", at: "REGISTRATION" },
    { detail: "IDENTITY_DOCUMENT", at: "REGISTRATION" },
    { detail: "ADDRESS", at: "FIRST_TRANSACTION" },
  ];

  test("is refused by path where it is missing, of everybody who registers but the operator", async () => {
    const t = await office({ selfRegistration: true, requiredDetails: required });
    const begin = (given?: Details) =>
      identity.rpc.gateway.beginRegistration({ ...registration("zola"), details: given }, inTenant(t.tenantId));
    const faults = faultsAt("dateOfBirth", "identityDocuments");
    await expect(begin()).rejects.toEqual(faults);
    await expect(begin({ dateOfBirth: "1990-04-30" })).rejects.toEqual(faultsAt("identityDocuments"));
    await expect(begin({ dateOfBirth: "1990-04-30", identityDocuments: [passport] })).resolves.toBeDefined();
    for (const who of ["manager", "agent", "cashier"]) {
      await expect(t.register(`of-${who}`, {}, await t.as(who))).rejects.toEqual(faults);
    }
    await expect(t.register("amina", {})).resolves.toMatchObject({ details: undefined });
  });

  test("is part of the account that a code makes", async () => {
    const t = await office({ selfRegistration: true, requiredDetails: required });
    const call = inTenant(t.tenantId);
    const { registrationId } = await identity.rpc.gateway.beginRegistration({ ...registration("zola"), details }, call);
    const mail = await waitFor(() =>
      identity.sent.find((one) => one.account === t.tenantId && one.to === "zola@x.example"),
    );
    const confirm = { registrationId, code: mail.text.slice(0, 6), ipAddress: "" };
    const { customer } = await identity.rpc.gateway.confirmRegistration(confirm, call);
    const { customerId } = customer!;
    const found = await identity.rpc.compliance.getCustomer({ customerId }, call);
    expect(found.customer!.details).toEqual(stored);
    const first = await waitFor(() => world.told.find((one) => one.customerId === customerId));
    expect(first).toMatchObject({ changed: ["REGISTERED"], proven: ["EMAIL"], details: stored });
  });
});

describe("the preference", () => {
  async function change(details: object[], who = "manager") {
    const t = await office();
    const request = { idempotencyKey: randomUUID(), reason: "the bank asks", change: { requiredDetails: { details } } };
    const call = await t.as(who);
    const changed = identity.rpc.gateway.changeOrganisationPreference(request, call);
    return { changed, history: async () => (await identity.rpc.gateway.listPreferenceChanges({}, call)).changes };
  }

  test("is changed by a MANAGER, with a reason that is kept", async () => {
    const required = [
      { detail: "NATIONALITY", at: "FIRST_TRANSACTION" },
      { detail: "ADDRESS", at: "REGISTRATION" },
    ];
    const { changed, history } = await change(required);
    expect((await changed).tenant!.preference!.requiredDetails).toEqual(required);
    const [noted] = await history();
    expect(noted).toMatchObject({ reason: "the bank asks", fields: [{ field: "requiredDetails", before: "" }] });
    expect(JSON.parse(noted!.fields[0]!.after)).toEqual(required);
    const { changed: denied } = await change(required, "agent");
    await expect(denied).rejects.toEqual(refused("FORBIDDEN"));
  });

  test.each<[string, object[], string]>([
    ["an unknown detail", [{ detail: "SHOE_SIZE", at: "REGISTRATION" }], "requiredDetails[0].detail"],
    ["an unknown moment", [{ detail: "ADDRESS", at: "SOON" }], "requiredDetails[0].at"],
    ["an amount, which the policy asks by", [{ detail: "ADDRESS", at: "ABOVE_AMOUNT" }], "requiredDetails[0].at"],
    ["a detail twice", Array(2).fill({ detail: "ADDRESS", at: "REGISTRATION" }), "requiredDetails"],
  ])("is refused by path with %s", async (_what, details, path) => {
    const { changed } = await change(details);
    await expect(changed).rejects.toEqual(faultsAt(path));
  });
});
