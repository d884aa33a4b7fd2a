import {
  ContactType,
  CustomerStatus,
  Decision,
  RequirementState,
  RuleAction,
  Visibility,
} from "../../../../proto/gen/compliance/v1/compliance.js";
import {
  ada,
  agent,
  ben,
  cashier,
  createComplianceWorld,
  manager,
  on,
  otherAgent,
  question,
  refused,
  secondManager,
  usd,
  type ComplianceWorld,
  type PolicyRequest,
} from "../../../../test/support/compliance-fixture.js";
import { testTenant, waitFor } from "../../../../test/support/index.js";
import type { RpcAccess } from "../../../kernel/grpc/server.js";
import { Refusal } from "../../../kernel/refusal.js";
import { access } from "../../access.js";
import { createUploadQuotas } from "../../common/store/upload-quotas.js";

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("customers");
});
afterEach(() => world.reset());
afterAll(() => world.close());

const email = { name: "E-mail", requirement: "EMAIL", mandatory: true };
const phone = { name: "Phone", requirement: "PHONE_NUMBER", mandatory: true };
const passport = { name: "Passport", requirement: "IDENTITY_DOCUMENT", mandatory: true, validityDays: 365 };
const contacts: PolicyRequest = { knowYourCustomerRules: [email, phone] };
const sourceOfFunds: PolicyRequest = {
  transactionRules: [
    {
      name: "Large",
      action: RuleAction.RULE_ACTION_REQUIRE_DOCUMENTS,
      visibility: Visibility.VISIBILITY_PUBLIC,
      requiredDocuments: ["SOURCE_OF_FUNDS"],
      condition: { amountAtLeast: usd(1_000_00n) },
    },
    {
      name: "Larger",
      action: RuleAction.RULE_ACTION_REVIEW,
      visibility: Visibility.VISIBILITY_STAFF,
      condition: { amountAtLeast: usd(2_000_00n) },
    },
  ],
};
const forwarding = { doNotForwardEmailVerification: true, doNotForwardPhoneVerification: true };
const pdf = Buffer.from(`%PDF-1.7\n${"x".repeat(1_000)}\n%%EOF\n`);

const stateOf = async (tenantId: string, customerId = "c1") =>
  (await world.gateway.getCustomerCompliance({ customerId }, on(tenantId, manager))).customer!;
const initiate = async (tenantId: string) =>
  (await world.gateway.initiateComplianceAction({ customerId: "c1" }, on(tenantId, ada))).actions;
const verify = (tenantId: string, userId = "u-c1", type: ContactType = ContactType.CONTACT_TYPE_EMAIL) =>
  world.gateway.verifyContact({ userId, type }, on(tenantId, agent));
const unconfirmed = (policy: PolicyRequest, more = {}) => world.openTenant(policy, { confirm: false, ...more });

async function sentCode(tenantId: string): Promise<string> {
  const sms = await waitFor(() => world.sentOf(tenantId, "SMS").at(-1));
  return /^\d{6}/.exec(sms.text)![0];
}
async function sentToken(tenantId: string): Promise<string> {
  const mail = await waitFor(() => world.sentOf(tenantId, "EMAIL").at(-1));
  return /token=(\S+)/.exec(mail.text)![1]!;
}
async function handIn(tenantId: string, requirement: string, { key = "k1", content = pdf, user = ada as object } = {}) {
  const call = on(tenantId, user as typeof ada);
  const part = 8 * 131_072;
  for (let at = 0; at < content.length; at += part) {
    const request = { customerId: "c1", uploadKey: key, offset: BigInt(at), content: content.subarray(at, at + part) };
    await world.gateway.uploadDocumentPart(request, call);
  }
  const request = {
    customerId: "c1",
    uploadKey: key,
    requirement,
    fileName: "a.pdf",
    sizeBytes: BigInt(content.length),
  };
  return (await world.gateway.submitDocument(request, call)).document!;
}
const review = (tenantId: string, documentId: string, accept = true, user: object = manager) =>
  world.gateway.reviewDocument({ documentId, accept, reason: "looked at" }, on(tenantId, user as typeof manager));

describe("link and code", () => {
  test("confirm the customer by themselves once both are confirmed, and say so in the history", async () => {
    const tenantId = await unconfirmed(contacts);
    const actions = await initiate(tenantId);
    expect(actions.map(({ action }) => action)).toEqual(["LINK_SENT", "CODE_SENT"]);
    await world.gateway.confirmContact({ token: await sentToken(tenantId) }, on(tenantId));
    expect(await stateOf(tenantId)).toMatchObject({ status: "CUSTOMER_STATUS_PENDING", decision: "DECISION_PENDING" });
    await world.gateway.confirmContact({ code: await sentCode(tenantId) }, on(tenantId, ada));
    expect(await stateOf(tenantId)).toMatchObject({
      status: "CUSTOMER_STATUS_CONFIRMED",
      decision: "DECISION_APPROVED",
      reason: "the approval threshold is met",
    });
    const [change] = await world.store.forTenant(tenantId).listStatusChanges("c1");
    expect(change).toMatchObject({ status: "CONFIRMED", actor: "compliance" });
    const { scores } = await world.gateway.listRiskScores({ customerId: "c1" }, on(tenantId, manager));
    // Two of two open, one, none; identity stays unknown, which weighs 20.
    expect(scores.map(({ score }) => score)).toEqual([20, 30, 40]);
    expect(scores[0]!.factors.map(({ name, weight, value, points }) => [name, weight, value, points])).toEqual([
      ["COUNTRY", 40, 0, 0],
      ["FLAGGED_TRANSACTIONS", 10, 0, 0],
      ["NEW_CUSTOMER", 10, 0, 0],
      ["REQUIREMENTS", 20, 0, 0],
      ["IDENTITY", 20, 100, 2_000],
    ]);
  });

  test.each([
    [false, "https://demo.test/api/v6/"],
    [true, "https://demo.test/sandbox/api/v6/"],
  ])("the link leads to the tenant's own host; of a sandbox (%s) below it", async (asSandbox, origin) => {
    const tenantId = await unconfirmed(contacts, { asSandbox });
    await initiate(tenantId);
    await sentToken(tenantId);
    expect(world.sentOf(tenantId, "EMAIL").at(-1)!.text).toContain(origin);
  });

  test("are sent once a minute, and the older ones end", async () => {
    const tenantId = await unconfirmed({ knowYourCustomerRules: [phone] });
    await initiate(tenantId);
    const first = await sentCode(tenantId);
    await initiate(tenantId);
    world.state.now = new Date(world.state.now.getTime() + 61_000);
    await initiate(tenantId);
    await waitFor(() => world.sentOf(tenantId).length === 2);
    const second = await sentCode(tenantId);
    if (first !== second) {
      const old = await refused(world.gateway.confirmContact({ code: first }, on(tenantId, ada)));
      expect(old.code).toBe("VERIFICATION_FAILED");
    }
    expect((await world.gateway.confirmContact({ code: second }, on(tenantId, ada))).state).toBe(
      RequirementState.REQUIREMENT_STATE_FULFILLED,
    );
  });

  test("a code is good for five tries, also side by side", async () => {
    const tenantId = await unconfirmed({ knowYourCustomerRules: [phone] });
    await initiate(tenantId);
    const code = await sentCode(tenantId);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, () => world.gateway.confirmContact({ code: wrong }, on(tenantId, ada))),
    );
    expect(tries.every(({ status }) => status === "rejected")).toBe(true);
    const late = await refused(world.gateway.confirmContact({ code }, on(tenantId, ada)));
    expect(late.code).toBe("VERIFICATION_FAILED");
  });

  test("a code ends after 10 minutes, a link after 24 hours; a link may be followed twice", async () => {
    const tenantId = await unconfirmed(contacts);
    await initiate(tenantId);
    const [code, token] = [await sentCode(tenantId), await sentToken(tenantId)];
    world.state.now = new Date(world.state.now.getTime() + 10 * 60_000);
    expect((await refused(world.gateway.confirmContact({ code }, on(tenantId, ada)))).code).toBe("VERIFICATION_FAILED");
    await world.gateway.confirmContact({ token }, on(tenantId));
    await world.gateway.confirmContact({ token }, on(tenantId));
    world.state.now = new Date(world.state.now.getTime() + 24 * 3_600_000);
    expect((await refused(world.gateway.confirmContact({ token }, on(tenantId)))).code).toBe("VERIFICATION_FAILED");
  });

  test("confirm nothing for another tenant, another customer, or a number that has changed", async () => {
    const tenantId = await unconfirmed(contacts);
    await initiate(tenantId);
    const [code, token] = [await sentCode(tenantId), await sentToken(tenantId)];
    const failing = [
      () => world.gateway.confirmContact({ token }, on(testTenant())),
      () => world.gateway.confirmContact({ token: `${token}x` }, on(tenantId)),
      () => world.gateway.confirmContact({ token: "" }, on(tenantId)),
      () => world.gateway.confirmContact({ code }, on(tenantId, ben)),
    ];
    for (const work of failing) expect((await refused(work())).code).toBe("VERIFICATION_FAILED");
    world.state.phones.set("c1", "+12025550199");
    expect((await refused(world.gateway.confirmContact({ code }, on(tenantId, ada)))).code).toBe("VERIFICATION_FAILED");
  });

  test("neither is stored or logged", async () => {
    const tenantId = await unconfirmed(contacts);
    await initiate(tenantId);
    const secrets = [await sentCode(tenantId), (await sentToken(tenantId)).split(".")[1]!];
    const stored = JSON.stringify([
      await world.db.collection("verifications").find({ tenantId }).toArray(),
      await world.db.collection("outbox").find({ tenantId }).toArray(),
    ]);
    for (const secret of secrets) {
      expect(stored).not.toContain(secret);
      expect(world.logged.join("")).not.toContain(secret);
    }
  });

  test("are not sent where the agent configuration forwards", async () => {
    const tenantId = await unconfirmed(contacts, forwarding);
    expect((await initiate(tenantId)).map(({ action }) => action)).toEqual([
      "EXTERNAL_VERIFICATION",
      "EXTERNAL_VERIFICATION",
    ]);
    expect(world.sentOf(tenantId)).toEqual([]);
  });
});

describe("verify-contact (§4.4)", () => {
  test("fulfils what is outstanding, updates the score and confirms at the threshold", async () => {
    const tenantId = await unconfirmed(contacts, forwarding);
    expect(await verify(tenantId)).toEqual({
      type: ContactType.CONTACT_TYPE_EMAIL,
      verified: true,
      rawProviderResponse: '{"status":"VERIFIED"}',
    });
    expect(await stateOf(tenantId)).toMatchObject({ status: "CUSTOMER_STATUS_PENDING" });
    await verify(tenantId, "u-c1", ContactType.CONTACT_TYPE_PHONE_NUMBER);
    expect(await stateOf(tenantId)).toMatchObject({ status: "CUSTOMER_STATUS_CONFIRMED" });
    expect(world.verifiedOf(tenantId).map(({ type, value }) => [type, value])).toEqual([
      ["EMAIL", "c1@example.test"],
      ["PHONE_NUMBER", "+12025550143"],
    ]);
  });

  test("succeeds and changes nothing where nothing is outstanding, for an unknown user and another tenant's", async () => {
    const tenantId = await unconfirmed({ knowYourCustomerRules: [email, phone] }, forwarding);
    await verify(tenantId);
    const before = await stateOf(tenantId);
    for (const userId of ["u-c1", "nobody"]) {
      expect(await verify(tenantId, userId)).toMatchObject({ verified: false, rawProviderResponse: "" });
    }
    expect(await stateOf(tenantId)).toEqual(before);
    expect(world.verifiedOf(tenantId)).toHaveLength(1);
  });

  test("leaves the requirement open where the provider says no, and gives its answer as it was", async () => {
    const tenantId = await unconfirmed(contacts, forwarding);
    world.state.answer = { verified: false, raw: "<html>no</html>" };
    expect(await verify(tenantId)).toMatchObject({ verified: false, rawProviderResponse: "<html>no</html>" });
    const { requirements } = await stateOf(tenantId);
    expect(requirements[0]).toMatchObject({ kind: "EMAIL", state: "REQUIREMENT_STATE_OUTSTANDING" });
  });

  test("503 where the provider does not answer: neither verified nor refused", async () => {
    const tenantId = await unconfirmed(contacts, forwarding);
    world.state.answer = new Refusal("UNAVAILABLE", "away");
    expect((await refused(verify(tenantId))).code).toBe("UNAVAILABLE");
    world.state.answer = { verified: true, raw: "ok" };
    expect((await verify(tenantId)).verified).toBe(true);
  });

  test("goes by the agent who manages the customer, where they have said so, by the newest version alone", async () => {
    const tenantId = await unconfirmed(contacts, forwarding);
    const told = (version: number, flags: object) =>
      world.wallet.noteAgentContacts({ agentId: agent.userId, version, ...flags }, on(tenantId));
    await told(2, { doNotForwardEmailVerification: false });
    expect((await refused(verify(tenantId))).code).toBe("FORBIDDEN");
    await told(1, { doNotForwardEmailVerification: true });
    expect((await refused(verify(tenantId))).code).toBe("FORBIDDEN");
    // As the organisation has it again.
    await told(3, {});
    expect((await verify(tenantId)).verified).toBe(true);
    expect((await refused(told(0, {}))).code).toBe("INVALID_INPUT");
  });

  test("403 for a customer of another agent, and for a type that is not forwarded", async () => {
    const tenantId = await unconfirmed(contacts, { doNotForwardEmailVerification: true });
    expect((await refused(verify(tenantId, "u-c2"))).code).toBe("FORBIDDEN");
    expect((await refused(verify(tenantId, "u-c1", ContactType.CONTACT_TYPE_PHONE_NUMBER))).code).toBe("FORBIDDEN");
    expect((await refused(verify(tenantId, "", ContactType.CONTACT_TYPE_EMAIL))).code).toBe("INVALID_INPUT");
    expect((await refused(verify(tenantId, "u-c1", ContactType.CONTACT_TYPE_UNSPECIFIED))).code).toBe("INVALID_INPUT");
    const everywhere = await unconfirmed(contacts, { ...forwarding, agentScope: "TENANT" });
    expect((await verify(everywhere, "u-c2")).verified).toBe(true);
  });
});

describe("documents", () => {
  test("are handed in by parts, kept by their hash, reviewed by somebody else and fulfil their requirement", async () => {
    const tenantId = await unconfirmed({ knowYourCustomerRules: [passport] });
    const large = Buffer.concat([pdf, Buffer.alloc(2_000_000, 1), Buffer.from("%%EOF")]);
    const document = await handIn(tenantId, "IDENTITY_DOCUMENT", { content: large });
    expect(document).toMatchObject({
      state: "DOCUMENT_STATE_SUBMITTED",
      contentType: "application/pdf",
      sizeBytes: BigInt(large.length),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    // Handing in once more is the same.
    expect(await handIn(tenantId, "IDENTITY_DOCUMENT", { content: large })).toEqual(document);
    expect((await stateOf(tenantId)).requirements[0]).toMatchObject({ inReview: true });
    const read: Buffer[] = [];
    for (let offset = 0n; ; offset = BigInt(Buffer.concat(read).length)) {
      const { content } = await world.gateway.readDocument(
        { documentId: document.documentId, offset },
        on(tenantId, manager),
      );
      if (content.length === 0) break;
      read.push(Buffer.from(content));
      if (Buffer.concat(read).length === large.length) break;
    }
    expect(Buffer.concat(read).equals(large)).toBe(true);
    await review(tenantId, document.documentId);
    await review(tenantId, document.documentId);
    const { requirements, status } = await stateOf(tenantId);
    expect(requirements[0]).toMatchObject({ state: "REQUIREMENT_STATE_FULFILLED", inReview: false });
    expect(requirements[0]!.expiresAt!.getTime() - requirements[0]!.fulfilledAt!.getTime()).toBe(365 * 86_400_000);
    expect(status).toBe("CUSTOMER_STATUS_CONFIRMED");
    expect((await refused(review(tenantId, document.documentId, false))).code).toBe("STATE_CONFLICT");
  });

  test.each([
    ["PNG", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x49, 0x45, 0x4e, 0x44]), "image/png"],
    ["JPEG", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xd9]), "image/jpeg"],
    ["a program called a.pdf", Buffer.from("MZ\u0000\u0000"), undefined],
    ["a PDF that is cut off", Buffer.from("%PDF-1.7 abc"), undefined],
    ["HTML", Buffer.from("<html><script>alert(1)</script>"), undefined],
    ["a PDF with a script", Buffer.from("%PDF-1.7 1 0 obj <</S /JavaScript /JS (x)>> endobj %%EOF"), undefined],
  ])("are taken by what they are: %s", async (_name, content, type) => {
    const tenantId = await unconfirmed({ knowYourCustomerRules: [passport] });
    const handed = handIn(tenantId, "IDENTITY_DOCUMENT", { content });
    if (type === undefined) expect((await refused(handed)).code).toBe("DOCUMENT_INVALID");
    else expect((await handed).contentType).toBe(type);
  });

  test("that are refused for what they are count no more, so that an honest one is taken after many", async () => {
    const tenantId = await unconfirmed({ knowYourCustomerRules: [passport] });
    const content = Buffer.from("GIF89a");
    for (let index = 0; index < 9; index += 1) {
      const handed = handIn(tenantId, "IDENTITY_DOCUMENT", { key: `k${index}`, content });
      expect((await refused(handed)).code).toBe("DOCUMENT_INVALID");
    }
    expect(await world.db.collection("documents.chunks").countDocuments({ tenantId })).toBe(0);
    await handIn(tenantId, "IDENTITY_DOCUMENT", { key: "k0" });
  });

  test("are refused where they are too large, incomplete, not asked for, or a second one waits", async () => {
    const tenantId = await unconfirmed({ knowYourCustomerRules: [passport, email] });
    const submit = (part: object) =>
      world.gateway.submitDocument(
        {
          customerId: "c1",
          uploadKey: "k9",
          requirement: "IDENTITY_DOCUMENT",
          fileName: "a.pdf",
          sizeBytes: 5n,
          ...part,
        },
        on(tenantId, ada),
      );
    expect((await refused(submit({}))).code).toBe("DOCUMENT_INVALID");
    expect((await refused(submit({ sizeBytes: 10_485_761n }))).code).toBe("BODY_TOO_LARGE");
    expect((await refused(handIn(tenantId, "SELFIE"))).code).toBe("NOT_FOUND");
    expect((await refused(handIn(tenantId, "EMAIL"))).code).toBe("NOT_FOUND");
    const second = { customerId: "c1", uploadKey: "k2", offset: 0n, content: pdf };
    await world.gateway.uploadDocumentPart(second, on(tenantId, ada));
    await handIn(tenantId, "IDENTITY_DOCUMENT");
    expect((await refused(handIn(tenantId, "IDENTITY_DOCUMENT", { key: "k2" }))).code).toBe("STATE_CONFLICT");
    const other = { customerId: "c1", uploadKey: "k1", offset: 0n, content: Buffer.from("other") };
    expect((await refused(world.gateway.uploadDocumentPart(other, on(tenantId, ada)))).code).toBe("KEY_REUSED");
  });

  test("are uploaded only while one is asked, and what nobody has handed in has a bound", async () => {
    const part = (tenantId: string, uploadKey: string, more = {}) => {
      const upload = { customerId: "c1", uploadKey, offset: 0n, content: pdf, ...more };
      return world.gateway.uploadDocumentPart(upload, on(tenantId, ada));
    };
    const unasked = await unconfirmed(contacts);
    expect((await refused(part(unasked, "k1"))).code).toBe("NOT_FOUND");
    expect(await world.db.collection("documents.chunks").countDocuments({ tenantId: unasked })).toBe(0);
    const tenantId = await unconfirmed({ knowYourCustomerRules: [passport] });
    const keys = Array.from({ length: 12 }, (_, index) => `k${index}`);
    const answers = await Promise.all(
      keys.map((key) =>
        part(tenantId, key).then(
          () => "kept",
          (error) => error.code,
        ),
      ),
    );
    expect(answers.toSorted()).toEqual([
      ...Array.from({ length: 4 }, () => "UPLOAD_LIMIT_REACHED"),
      ...Array.from({ length: 8 }, () => "kept"),
    ]);
    const stored = keys[answers.indexOf("kept")]!;
    // A part that is repeated counts once.
    await part(tenantId, stored);
    await part(tenantId, stored);
    const document = await handIn(tenantId, "IDENTITY_DOCUMENT", { key: stored });
    await part(tenantId, stored);
    expect((await refused(part(tenantId, "k99"))).code).toBe("NOT_FOUND");
    await review(tenantId, document.documentId, false);
    await part(tenantId, "k99");
    expect((await refused(part(tenantId, "k100"))).code).toBe("UPLOAD_LIMIT_REACHED");
  });

  test("are not taken for what is fulfilled, until it ends within 30 days and may be renewed", async () => {
    const tenantId = await unconfirmed({ knowYourCustomerRules: [passport] });
    const part = (uploadKey: string) =>
      world.gateway.uploadDocumentPart({ customerId: "c1", uploadKey, offset: 0n, content: pdf }, on(tenantId, ada));
    await part("before");
    await review(tenantId, (await handIn(tenantId, "IDENTITY_DOCUMENT")).documentId);
    expect((await refused(part("k2"))).code).toBe("NOT_FOUND");
    expect((await refused(handIn(tenantId, "IDENTITY_DOCUMENT", { key: "before" }))).code).toBe("NOT_FOUND");
    world.at("2027-03-31T12:00:00Z");
    expect((await refused(part("k2"))).code).toBe("NOT_FOUND");
    world.at("2027-04-10T12:00:00Z");
    await review(tenantId, (await handIn(tenantId, "IDENTITY_DOCUMENT", { key: "k2" })).documentId);
    const [renewed] = (await stateOf(tenantId)).requirements;
    expect(renewed).toMatchObject({ state: "REQUIREMENT_STATE_FULFILLED", inReview: false });
    expect(renewed!.fulfilledAt!.toISOString()).toBe("2027-04-10T12:00:00.000Z");
  });

  test("of many bytes that nobody has handed in are refused above the bound, and a part of a byte counts as a row", async () => {
    const quotas = createUploadQuotas(world.db).forTenant(testTenant());
    const [now, expiresAt] = [new Date(), new Date(Date.now() + 60_000)];
    const limits = { uploads: 8, bytes: 100_000 };
    const take = (uploadId: string, bytes: number, at = now) =>
      world.store.transaction(
        (session) =>
          quotas.take("customer:c1", { uploadId, bytes, expiresAt, now: at }, limits, session).then(() => true),
        async () => undefined,
      );
    await take("a", 90_000);
    expect((await refused(take("b", 10_001))).code).toBe("UPLOAD_LIMIT_REACHED");
    await take("b", 1);
    expect((await refused(take("b", 6_000))).code).toBe("UPLOAD_LIMIT_REACHED");
    await quotas.release("customer:c1", "a");
    await take("b", 6_000);
    expect((await refused(take("c", 95_000))).code).toBe("UPLOAD_LIMIT_REACHED");
    await take("c", 95_000, new Date(expiresAt.getTime() + 1));
  });

  test("are named by what they are, and never as what a machine opens", async () => {
    const tenantId = await unconfirmed({ knowYourCustomerRules: [passport] });
    const upload = { customerId: "c1", uploadKey: "k1" };
    await world.gateway.uploadDocumentPart({ ...upload, offset: 0n, content: pdf }, on(tenantId, ada));
    const named = (fileName: string) => {
      const request = { ...upload, requirement: "IDENTITY_DOCUMENT", fileName, sizeBytes: BigInt(pdf.length) };
      return world.gateway.submitDocument(request, on(tenantId, ada));
    };
    for (const fileName of ["proof.html", "proof.svg", "proof.html.pdf", "proof.pdf.exe", "proof.html. "]) {
      const refusal = await refused(named(fileName));
      expect([fileName, refusal.details?.errors?.[0]?.path]).toEqual([fileName, "fileName"]);
    }
    expect((await named("proof.docx")).document!.fileName).toBe("proof.pdf");
  });

  test("are not reviewed by whoever handed them in, and a rejected one can be handed in anew", async () => {
    const tenantId = await unconfirmed({ knowYourCustomerRules: [passport] });
    const { documentId } = await handIn(tenantId, "IDENTITY_DOCUMENT", { user: agent });
    expect((await refused(review(tenantId, documentId, true, agent))).code).toBe("FORBIDDEN");
    expect((await refused(review(tenantId, documentId, true, otherAgent))).code).toBe("FORBIDDEN");
    await review(tenantId, documentId, false);
    expect((await stateOf(tenantId)).requirements[0]).toMatchObject({ state: "REQUIREMENT_STATE_REJECTED" });
    await handIn(tenantId, "IDENTITY_DOCUMENT", { key: "k2" });
    expect((await stateOf(tenantId)).requirements[0]).toMatchObject({
      state: "REQUIREMENT_STATE_OUTSTANDING",
      cycle: 2,
      inReview: true,
    });
  });
});

describe("requirements", () => {
  test("follow country and profile, expire, and stop transactions until they are renewed", async () => {
    const ofNigeria = { ...passport, countries: ["NG"], name: "Passport of Nigerians" };
    const tenantId = await world.openTenant({
      knowYourCustomerRules: [
        { ...passport, validityDays: 10 },
        { ...ofNigeria, requirement: "BVN" },
      ],
    });
    expect((await stateOf(tenantId)).requirements.map(({ kind }) => kind)).toEqual(["IDENTITY_DOCUMENT"]);
    expect((await stateOf(tenantId, "ng1")).requirements.map(({ kind }) => kind)).toEqual(["IDENTITY_DOCUMENT", "BVN"]);
    expect((await world.remittance.checkTransaction(question(), on(tenantId))).decision).toBe(
      Decision.DECISION_APPROVED,
    );
    world.at("2026-05-11T12:00:00Z");
    expect(await world.remittance.checkTransaction(question(), on(tenantId))).toMatchObject({
      decision: Decision.DECISION_PENDING,
      outstandingRequirements: ["IDENTITY_DOCUMENT"],
    });
    expect((await stateOf(tenantId)).requirements[0]).toMatchObject({ state: "REQUIREMENT_STATE_EXPIRED" });
    expect((await initiate(tenantId))[0]).toMatchObject({ action: "SUBMIT_DOCUMENT" });
    expect((await stateOf(tenantId)).requirements[0]).toMatchObject({
      state: "REQUIREMENT_STATE_OUTSTANDING",
      cycle: 2,
    });
  });

  test("the checklist says what is missing for this amount and corridor, and reserves nothing", async () => {
    const policy = { ...sourceOfFunds, dailyLimits: [{ amount: usd(5_000_00n) }] };
    const tenantId = await world.openTenant(policy);
    const { transactionId: _id, ...requested } = question({ amount: usd(1_500_00n) });
    const checklist = await world.gateway.getChecklist(requested, on(tenantId, ada));
    expect(checklist).toMatchObject({
      decision: Decision.DECISION_PENDING,
      items: [{ requirement: "SOURCE_OF_FUNDS", state: "REQUIREMENT_STATE_OUTSTANDING", origin: "TRANSACTION" }],
      leftToday: usd(5_000_00n),
    });
    const small = await world.gateway.getChecklist({ ...requested, amount: usd(999_99n) }, on(tenantId, ada));
    expect(small).toMatchObject({ decision: Decision.DECISION_APPROVED, items: [] });
    expect(await world.store.forTenant(tenantId).listDays("c1", "2026-01-01", "2026-12-31")).toEqual([]);
    expect((await refused(world.gateway.getChecklist(requested, on(tenantId, ben)))).code).toBe("FORBIDDEN");
  });
});

describe("transactions that wait", () => {
  test("for documents go on by themselves when these are accepted, and remittance hears of it", async () => {
    const tenantId = await world.openTenant(sourceOfFunds);
    const requested = question({ amount: usd(1_500_00n) });
    expect(await world.remittance.checkTransaction(requested, on(tenantId))).toMatchObject({
      decision: Decision.DECISION_PENDING,
      outstandingRequirements: ["SOURCE_OF_FUNDS"],
    });
    world.state.tellFails = 1;
    const { documentId } = await handIn(tenantId, "SOURCE_OF_FUNDS");
    await review(tenantId, documentId);
    await waitFor(() => world.state.tellFails === 0);
    // The pause begins when the failure is written down, which may be after the clock was moved.
    const passAWhile = () => (world.state.now = new Date(world.state.now.getTime() + 5_000));
    const published = await waitFor(() => (passAWhile(), world.told(tenantId).decided[0]), { timeoutMs: 15_000 });
    expect(published).toMatchObject({ transactionId: requested.transactionId, decision: Decision.DECISION_APPROVED });
    expect((await world.remittance.checkTransaction(requested, on(tenantId))).decision).toBe(
      Decision.DECISION_APPROVED,
    );
    await world.remittance.confirmReservation({ transactionId: requested.transactionId }, on(tenantId));
  });

  test("for a person go on or are refused by their word, which is kept with who and why", async () => {
    const tenantId = await world.openTenant({
      ...sourceOfFunds,
      transactionRules: [sourceOfFunds.transactionRules![1]!],
      dailyLimits: [{ amount: usd(5_000_00n) }],
    });
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      const requested = question({ amount: usd(2_400_00n) });
      ids.push(requested.transactionId);
      expect((await world.remittance.checkTransaction(requested, on(tenantId))).decision).toBe(
        Decision.DECISION_REVIEW,
      );
    }
    const decide = (transactionId: string, approve: boolean, user: object = manager) =>
      world.gateway.decideReview({ transactionId, approve, reason: "known" }, on(tenantId, user as typeof manager));
    const { reviews } = await world.gateway.listReviews({}, on(tenantId, manager));
    expect(reviews.map(({ transactionId }) => transactionId)).toEqual(ids);
    const [first = "", second = "", third = ""] = ids;
    expect((await decide(first, true)).decision).toBe(Decision.DECISION_APPROVED);
    expect((await decide(first, true)).decision).toBe(Decision.DECISION_APPROVED);
    expect((await refused(decide(first, false))).code).toBe("STATE_CONFLICT");
    expect((await decide(second, false)).decision).toBe(Decision.DECISION_REJECTED);
    await waitFor(() => world.told(tenantId).decided.length === 2, { timeoutMs: 15_000 });
    expect(
      world
        .told(tenantId)
        .decided.map(({ decision, reasonCode }) => [decision, reasonCode])
        .toSorted(),
    ).toEqual([
      [Decision.DECISION_APPROVED, ""],
      [Decision.DECISION_REJECTED, "REVIEW_REJECTED"],
    ]);
    const { entries } = await world.gateway.listAuditEntries(
      { subject: `transaction:${first}` },
      on(tenantId, manager),
    );
    expect(entries).toMatchObject([{ actor: "MA1", role: "MANAGER", action: "transaction.approve", reason: "known" }]);
    // Nobody can let a transaction go on that was given up, and approval does not lift the limit.
    await world.remittance.releaseReservation({ transactionId: third }, on(tenantId));
    expect((await refused(decide(third, true))).code).toBe("STATE_CONFLICT");
    const fourth = question({ amount: usd(2_600_00n) });
    await world.remittance.checkTransaction(fourth, on(tenantId));
    expect((await decide(fourth.transactionId, true)).decision).toBe(Decision.DECISION_APPROVED);
    const fifth = question({ amount: usd(2_000_00n) });
    expect((await world.remittance.checkTransaction(fifth, on(tenantId))).decision).toBe(Decision.DECISION_REJECTED);
  });
});

describe("payments between wallets", () => {
  const pay = (tenantId: string, paymentId: string, minor: bigint) =>
    world.wallet.checkWalletPayment(
      { paymentId, customerId: "c1", payeeCustomerId: "ng1", amount: usd(minor) },
      on(tenantId),
    );

  test("are asked for by the two customers' countries, count for the limit, and never wait", async () => {
    const tenantId = await world.openTenant({
      dailyLimits: [{ amount: usd(100_00n) }],
      transactionRules: [
        {
          name: "Wallets abroad",
          action: RuleAction.RULE_ACTION_REVIEW,
          visibility: Visibility.VISIBILITY_STAFF,
          condition: { operations: ["WALLET_PAYMENT"], receivingCountries: ["NG"], amountAtLeast: usd(50_00n) },
        },
      ],
    });
    expect(await pay(tenantId, "p1", 49_99n)).toMatchObject({ approved: true });
    expect(await pay(tenantId, "p2", 50_00n)).toMatchObject({ approved: false });
    expect(await pay(tenantId, "p2", 50_00n)).toMatchObject({ approved: false });
    expect(await pay(tenantId, "p3", 60_00n)).toMatchObject({ approved: false, reasonCode: "DAILY_LIMIT_EXCEEDED" });
    expect((await world.gateway.listReviews({}, on(tenantId, manager))).reviews).toEqual([]);
    await world.wallet.confirmReservation({ transactionId: "p1" }, on(tenantId));
  });

  test("to somebody who is not confirmed are held for them", async () => {
    const tenantId = await world.openTenant({});
    const payTo = (payeeCustomerId: string) =>
      world.wallet.checkWalletPayment(
        { paymentId: `to-${payeeCustomerId}`, customerId: "c1", payeeCustomerId, amount: usd(1_00n) },
        on(tenantId),
      );
    expect(await payTo("ng1")).toMatchObject({ approved: true, isHeldForPayee: true });
    expect(await payTo("c1")).toMatchObject({ approved: true, isHeldForPayee: false });
  });

  test("that follow at once spend their part of the limit with the decision, and give it back when they fail", async () => {
    const tenantId = await world.openTenant({ dailyLimits: [{ amount: usd(100_00n) }] });
    const payAtOnce = (paymentId: string, minor: bigint) =>
      world.wallet.checkWalletPayment(
        { paymentId, customerId: "c1", payeeCustomerId: "ng1", amount: usd(minor), atOnce: true },
        on(tenantId),
      );
    expect(await payAtOnce("p1", 60_00n)).toMatchObject({ approved: true });
    expect(await payAtOnce("p1", 60_00n)).toMatchObject({ approved: true });
    expect(await payAtOnce("p2", 60_00n)).toMatchObject({ reasonCode: "DAILY_LIMIT_EXCEEDED" });
    // A wallet of the version before still confirms here, which changes nothing.
    await world.wallet.confirmReservation({ transactionId: "p1" }, on(tenantId));
    for (let each = 0; each < 2; each++) await world.wallet.releaseReservation({ transactionId: "p1" }, on(tenantId));
    expect(await payAtOnce("p3", 100_00n)).toMatchObject({ approved: true });
    expect(await payAtOnce("p4", 1n)).toMatchObject({ reasonCode: "DAILY_LIMIT_EXCEEDED" });
  });
});

describe("overrides", () => {
  const asking =
    (tenantId: string) =>
    (key: string, user: object = manager, part: object = {}) =>
      world.gateway.requestOverride(
        {
          idempotencyKey: key,
          customerId: "c1",
          status: CustomerStatus.CUSTOMER_STATUS_CONFIRMED,
          reason: "known in person",
          ...part,
        },
        on(tenantId, user as typeof manager),
      );
  const audited = async (tenantId: string) =>
    (await world.gateway.listAuditEntries({ subject: "customer:c1" }, on(tenantId, manager))).entries.map(
      ({ action, actor, role }) => [action, actor, role],
    );

  test("are asked for by identity's approvals, with a reason, and carried out once when they are agreed to", async () => {
    const tenantId = await unconfirmed(contacts);
    const ask = asking(tenantId);
    const { overrideId } = (await ask("o1")).override!;
    expect((await ask("o1")).override).toMatchObject({ overrideId, state: "OVERRIDE_STATE_REQUESTED" });
    const blocked = { status: CustomerStatus.CUSTOMER_STATUS_BLOCKED };
    expect((await refused(ask("o1", manager, blocked))).code).toBe("IDEMPOTENCY_KEY_REUSED");
    expect((await stateOf(tenantId)).status).toBe("CUSTOMER_STATUS_PENDING");
    const decided = await Promise.all([1, 2, 3].map(() => world.decideApproval(tenantId, overrideId, "MA2")));
    expect(decided[0]!.noted).toEqual(["CUSTOMER_STATUS_SET customer:c1 status: PENDING → CONFIRMED"]);
    await world.decideApproval(tenantId, overrideId, "MA2");
    expect(await stateOf(tenantId)).toMatchObject({ status: "CUSTOMER_STATUS_CONFIRMED", reason: "known in person" });
    expect(await audited(tenantId)).toEqual([
      ["override.approve", "MA2", "MANAGER"],
      ["override.request", "MA1", "MANAGER"],
    ]);
    const { overrides } = await world.gateway.listOverrides({}, on(tenantId, manager));
    expect(overrides).toMatchObject([
      { overrideId, state: "OVERRIDE_STATE_APPROVED", decidedBy: "MA2", decisionReason: "so do I" },
    ]);
    await waitFor(() => world.told(tenantId).noted.find(({ status }) => status === "CONFIRMED"));
  });

  test.each(["INVALID_INPUT", "FORBIDDEN"] as const)(
    "of which identity takes no question wait for nobody, and a repeat is refused as well: %s",
    async (code) => {
      const tenantId = await unconfirmed(contacts);
      const ask = asking(tenantId);
      world.state.takesNoQuestion = code;
      const codes = [(await refused(ask("n1"))).code, (await refused(ask("n1"))).code];
      world.state.takesNoQuestion = undefined;
      expect(codes).toEqual([code, code]);
      expect((await world.gateway.listOverrides({}, on(tenantId, manager))).overrides).toEqual([]);
      expect(await audited(tenantId)).toEqual([]);
      expect((await ask("n1")).override).toMatchObject({ state: "OVERRIDE_STATE_REQUESTED" });
    },
  );

  test("approved where the status is what was asked for already, its effect says so", async () => {
    const tenantId = await unconfirmed(contacts);
    const ask = asking(tenantId);
    const ids = [(await ask("s1")).override!.overrideId, (await ask("s2", secondManager)).override!.overrideId];
    await world.decideApproval(tenantId, ids[0]!, "MA2");
    const { effects } = await world.decideApproval(tenantId, ids[1]!, "MA1");
    expect(effects).toEqual([{ kind: "NOTHING_DONE", subject: "customer:c1", amount: undefined, change: undefined }]);
  });

  test("have what waits for documents of the customer decided anew, and their effects name each of it alone", async () => {
    const tenantId = await world.openTenant({
      transactionRules: [
        sourceOfFunds.transactionRules![0]!,
        { ...sourceOfFunds.transactionRules![1]!, condition: { purposes: ["school"] } },
      ],
    });
    const known = { customerId: "ng1", status: CustomerStatus.CUSTOMER_STATUS_CONFIRMED, reason: "known" };
    await world.operator.setCustomerStatus(known, on(tenantId));
    const [first, second, ofOther] = ["c1", "c1", "ng1"].map((customerId) =>
      question({ customerId, amount: usd(1_500_00n) }),
    );
    const forPerson = question({ remittancePurpose: "school" });
    const decisions = [];
    for (const requested of [first!, second!, ofOther!, forPerson])
      decisions.push((await world.remittance.checkTransaction(requested, on(tenantId))).decision);
    const { DECISION_PENDING: pending, DECISION_REVIEW: review } = Decision;
    expect(decisions).toEqual([pending, pending, pending, review]);
    const ids = [first!.transactionId, second!.transactionId];
    // The same status for another reason is a change as well.
    const sameStatus = (await asking(tenantId)("w1")).override!;
    const { noted } = await world.decideApproval(tenantId, sameStatus.overrideId, "MA2");
    expect(noted).toEqual(ids.map((id) => `TRANSACTION_DECIDED_ANEW transaction:${id}`));
    const blocked = { status: CustomerStatus.CUSTOMER_STATUS_BLOCKED };
    const { overrideId } = (await asking(tenantId)("w2", manager, blocked)).override!;
    const { foreseen, effects } = await world.decideApproval(tenantId, overrideId, "MA2");
    const status = { field: "status", before: "CONFIRMED", after: "BLOCKED", currency: "" };
    expect(effects).toEqual([
      { kind: "CUSTOMER_STATUS_SET", subject: "customer:c1", amount: undefined, change: status },
      ...ids.map((id) => ({
        kind: "TRANSACTION_DECIDED_ANEW",
        subject: `transaction:${id}`,
        amount: undefined,
        change: undefined,
      })),
    ]);
    expect(foreseen).toEqual(effects);
    await waitFor(() => world.told(tenantId).decided.length >= 2);
    const published = world.told(tenantId).decided.map(({ transactionId, decision }) => [transactionId, decision]);
    expect(published.toSorted()).toEqual(ids.map((id) => [id, Decision.DECISION_REJECTED]));
  });

  test("change nothing when they are refused or nobody decides", async () => {
    const tenantId = await unconfirmed(contacts);
    const ask = asking(tenantId);
    for (const [key, status] of [
      ["r1", "REFUSED"],
      ["r2", "EXPIRED"],
    ] as const) {
      const { overrideId } = (await ask(key)).override!;
      await world.decideApproval(tenantId, overrideId, status === "EXPIRED" ? "identity" : "MA2", status);
    }
    expect((await stateOf(tenantId)).status).toBe("CUSTOMER_STATUS_PENDING");
    const { overrides } = await world.gateway.listOverrides({}, on(tenantId, manager));
    expect(overrides.map(({ state }) => state).toSorted()).toEqual([
      "OVERRIDE_STATE_EXPIRED",
      "OVERRIDE_STATE_REFUSED",
    ]);
  });

  test("an outcome that comes before the request was written is carried out all the same", async () => {
    const tenantId = await unconfirmed(contacts);
    const { overrideId } = (await asking(tenantId)("o1")).override!;
    // As if the process had been killed between asking and writing.
    await world.db.collection("overrides").deleteMany({ tenantId });
    await world.db.collection("audit").deleteMany({ tenantId });
    await world.decideApproval(tenantId, overrideId, "MA2");
    expect((await stateOf(tenantId)).status).toBe("CUSTOMER_STATUS_CONFIRMED");
    expect((await asking(tenantId)("o1")).override).toMatchObject({ state: "OVERRIDE_STATE_APPROVED" });
    expect(await audited(tenantId)).toEqual([["override.approve", "MA2", "MANAGER"]]);
  });

  test("by an agent are for managed customers only, and never back to pending", async () => {
    const tenantId = await unconfirmed(contacts);
    const ask = asking(tenantId);
    expect((await refused(ask("o2", otherAgent))).code).toBe("FORBIDDEN");
    expect((await ask("o3", agent)).override!.state).toBe("OVERRIDE_STATE_REQUESTED");
    const pending = { status: CustomerStatus.CUSTOMER_STATUS_PENDING };
    expect((await refused(ask("o4", manager, pending))).code).toBe("INVALID_INPUT");
  });
});

describe("news to identity", () => {
  test("tell each status of a customer in its order", async () => {
    const tenantId = await unconfirmed(contacts);
    const { CUSTOMER_STATUS_CONFIRMED, CUSTOMER_STATUS_BLOCKED } = CustomerStatus;
    for (const status of [CUSTOMER_STATUS_CONFIRMED, CUSTOMER_STATUS_BLOCKED, CUSTOMER_STATUS_CONFIRMED]) {
      await world.operator.setCustomerStatus({ customerId: "c1", status, reason: "seen" }, on(tenantId));
    }
    await waitFor(() => world.told(tenantId).noted.length >= 3);
    expect(
      world.told(tenantId).noted.map(({ customerId, status, sequence }) => [customerId, status, sequence]),
    ).toEqual([
      ["c1", "CONFIRMED", 1],
      ["c1", "BLOCKED", 2],
      ["c1", "CONFIRMED", 3],
    ]);
  });
});

describe("drafts of the policy", () => {
  const draft = (revision: number, minor: bigint) => ({
    ...sourceOfFunds,
    revision,
    dailyLimits: [{ amount: usd(minor) }],
  });

  test("are published by another than their author, once, with who and when", async () => {
    const tenantId = await world.openTenant({});
    const save = (revision: number, minor: bigint, user: object = manager) =>
      world.gateway.savePolicyDraft(draft(revision, minor), on(tenantId, user as typeof manager));
    const publish = (revision: number, user: object) =>
      world.gateway.publishPolicyDraft({ revision }, on(tenantId, user as typeof manager));
    // Nothing is saved: what is in force, which a draft begins from.
    const inForce = (await world.gateway.getPolicy({ version: 1 }, on(tenantId, manager))).policy!;
    const { dailyLimits, transactionRules } = inForce;
    const { draft: unsaved } = await world.gateway.getPolicyDraft({}, on(tenantId, manager));
    expect(unsaved).toMatchObject({ revision: 0, basedOn: 1, savedBy: "", dailyLimits, transactionRules });
    expect(unsaved!.savedAt).toBeUndefined();
    expect((await save(0, 5n)).draft).toMatchObject({ revision: 1, basedOn: 1, savedBy: "MA1" });
    expect((await save(0, 5n)).draft!.revision).toBe(1);
    expect((await refused(save(0, 6n))).code).toBe("STATE_CONFLICT");
    expect((await refused(publish(1, manager))).code).toBe("FORBIDDEN");
    const published = (await publish(1, secondManager)).policy!;
    expect(published).toMatchObject({ version: 2, publishedBy: "MA2", draftedBy: "MA1", publishedAt: world.state.now });
    expect((await publish(1, secondManager)).policy!.version).toBe(2);
    // A draft begun before another version was published is looked at anew first.
    await save(1, 7n);
    await world.operator.putPolicy({}, on(tenantId));
    expect((await refused(publish(2, secondManager))).code).toBe("STATE_CONFLICT");
    const { versions } = await world.gateway.listPolicyVersions({}, on(tenantId, manager));
    expect(versions.map(({ version }) => version)).toEqual([3, 2, 1]);
    expect((await world.gateway.getPolicy({ version: 2 }, on(tenantId, manager))).policy!.dailyLimits).toHaveLength(1);
    const elsewhere = on(testTenant(), manager);
    expect((await world.gateway.listPolicyVersions({}, elsewhere)).versions).toEqual([]);
    for (const cursor of ["NaN", "-1", "1e3", "\u{85d67}"]) {
      const answer = world.gateway.listPolicyVersions({ cursor }, on(tenantId, manager));
      expect(await refused(answer)).toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ path: "cursor" }] } });
    }
    const { draft: fresh } = await world.gateway.getPolicyDraft({}, elsewhere);
    expect(fresh).toMatchObject({ revision: 0, basedOn: 0, transactionRules: [] });
  });

  test("are tried on past transactions beside the live policy and show what would change", async () => {
    const tenantId = await world.openTenant({ dailyLimits: [{ amount: usd(10_000_00n) }] });
    const ids: string[] = [];
    for (const [day, minor] of [
      ["2026-05-01", 400_00n],
      ["2026-05-02", 400_00n],
      ["2026-05-03", 400_00n],
      ["2026-05-04", 50_00n],
    ] as const) {
      world.at(`${day}T12:00:00Z`);
      const requested = question({ amount: usd(minor) });
      ids.push(requested.transactionId);
      await world.remittance.checkTransaction(requested, on(tenantId));
    }
    const condition = {
      aggregates: [{ measure: "MEASURE_SUM", amount: usd(800_00n), days: 3, comparison: "COMPARISON_ABOVE" }],
    } as const;
    const transactionRules = [
      { name: "Three days", action: "RULE_ACTION_REVIEW", visibility: "VISIBILITY_STAFF", condition } as const,
    ];
    await world.gateway.savePolicyDraft({ revision: 0, transactionRules }, on(tenantId, manager));
    const trial = await world.gateway.tryPolicyDraft(
      { from: new Date("2026-05-02T00:00:00Z"), to: new Date("2026-05-05T00:00:00Z") },
      on(tenantId, manager),
    );
    expect(trial).toMatchObject({ liveVersion: 1, draftRevision: 1, transactions: 3, truncated: false });
    // 1 to 3 May are 1,200.00, 2 to 4 May 850.00; what comes before the trial counts as it was
    // kept.
    expect(
      trial.differences.map(({ transactionId, live, draft: by, draftRules }) => [transactionId, live, by, draftRules]),
    ).toEqual([
      [ids[2], "DECISION_APPROVED", "DECISION_REVIEW", ["three-days"]],
      [ids[3], "DECISION_APPROVED", "DECISION_REVIEW", ["three-days"]],
    ]);
    expect(trial.counts).toEqual([
      { live: "DECISION_APPROVED", draft: "DECISION_APPROVED", transactions: 1 },
      { live: "DECISION_APPROVED", draft: "DECISION_REVIEW", transactions: 2 },
    ]);
    expect((await stateOf(tenantId)).policyVersion).toBe(1);
  });
});

describe("who may call what", () => {
  const users = { MANAGER: manager, AGENT: agent, CASHIER: cashier, CUSTOMER: ada } as const;
  const rpcs = Object.entries<RpcAccess>(access).filter(([, row]) => row.roles !== undefined);

  test.each(rpcs)("%s", async (rpc, row) => {
    const tenantId = testTenant();
    for (const [role, user] of Object.entries(users)) {
      const call = (world.gateway as unknown as Record<string, (request: object, options: object) => Promise<unknown>>)[
        rpc
      ]!;
      const code = await call({}, on(tenantId, user)).then(
        () => "",
        (error: Refusal) => error.code,
      );
      const may = row.roles!.includes(role as keyof typeof users);
      // With an empty request a role that may call it gets as far as its content.
      if (may) expect([rpc, role, code]).not.toEqual([rpc, role, "CALLER_NOT_ALLOWED"]);
      else expect([rpc, role, code]).toEqual([rpc, role, "FORBIDDEN"]);
    }
    const operator = world.operator as unknown as Record<
      string,
      (request: object, options: object) => Promise<unknown>
    >;
    expect((await refused(operator[rpc]!({}, on(tenantId)))).code).toBe("CALLER_NOT_ALLOWED");
  });
});

describe("a person who changes", () => {
  const note = (tenantId: string, revision: number, about: { changed?: string[]; proven?: string[] }) =>
    world.identity.notePersonChange({ customerId: "c1", revision, ...about }, on(tenantId));
  const states = async (tenantId: string) =>
    (await stateOf(tenantId)).requirements.map(({ kind, state }) => [kind, state.replace("REQUIREMENT_STATE_", "")]);

  test("has to show again what has changed, once per change", async () => {
    const tenantId = await world.openTenant({ knowYourCustomerRules: [email, phone, passport] });
    expect(await states(tenantId)).toEqual([
      ["EMAIL", "FULFILLED"],
      ["PHONE_NUMBER", "FULFILLED"],
      ["IDENTITY_DOCUMENT", "FULFILLED"],
    ]);
    await note(tenantId, 1, { changed: ["PHONE_NUMBER"] });
    expect(await states(tenantId)).toContainEqual(["PHONE_NUMBER", "OUTSTANDING"]);
    expect(await states(tenantId)).toContainEqual(["EMAIL", "FULFILLED"]);
    // What waits for it is not paid, though nobody takes the confirmation back.
    expect(await stateOf(tenantId)).toMatchObject({ status: "CUSTOMER_STATUS_CONFIRMED" });
    expect(await initiate(tenantId)).toMatchObject([{ requirement: "PHONE_NUMBER", action: "CODE_SENT" }]);
    await world.gateway.confirmContact({ code: await sentCode(tenantId) }, on(tenantId, ada));
    await note(tenantId, 1, { changed: ["PHONE_NUMBER"] });
    expect(await states(tenantId)).toContainEqual(["PHONE_NUMBER", "FULFILLED"]);
    await note(tenantId, 2, { changed: ["NAME"] });
    expect(await states(tenantId)).toEqual([
      ["EMAIL", "FULFILLED"],
      ["PHONE_NUMBER", "FULFILLED"],
      ["IDENTITY_DOCUMENT", "OUTSTANDING"],
    ]);
  });

  test("who registered by a code has shown their e-mail address, save where a provider is to verify it", async () => {
    const own = await unconfirmed(contacts);
    await note(own, 1, { proven: ["EMAIL"] });
    expect(await states(own)).toEqual([
      ["EMAIL", "FULFILLED"],
      ["PHONE_NUMBER", "OUTSTANDING"],
    ]);
    const forwarded = await unconfirmed(contacts, forwarding);
    await note(forwarded, 1, { proven: ["EMAIL"] });
    expect(await states(forwarded)).toContainEqual(["EMAIL", "OUTSTANDING"]);
  });

  test("is told of by identity alone", async () => {
    const tenantId = await world.openTenant(contacts);
    const requested = { customerId: "c1", revision: 1, changed: ["NAME"] };
    expect((await refused(world.gateway.notePersonChange(requested, on(tenantId, manager)))).code).toBe(
      "CALLER_NOT_ALLOWED",
    );
    for (const fault of [{ revision: 0 }, { changed: ["SHOE_SIZE"] }]) {
      const call = world.identity.notePersonChange({ ...requested, ...fault }, on(tenantId));
      expect((await refused(call)).code).toBe("INVALID_INPUT");
    }
  });
});
