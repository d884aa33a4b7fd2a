import { textsOf } from "../../../test/support/pdf-reader.js";
import { testTenant } from "../../../test/support/index.js";
import { ada, ben, cashier, faultOf, manager, on, refused } from "../../../test/support/remittance-calls.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { corridor, openTenant, order } from "../../../test/support/remittance-samples.js";
import { asksIdentityAnew } from "../../../test/support/time.js";
import type { DisclosureTemplate } from "../../../proto/gen/remittance/v1/disclosure.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { disclosureTextNames } from "../domain/disclosure-words.js";

let world: World;
beforeAll(async () => void (world = await createWorld("disclosures")));
afterEach(() => world.reset());
afterAll(() => world.close());

const usd = (amountMinor: bigint) => ({ amountMinor, currency: "USD" });
const naira = (amountMinor: bigint) => ({ amountMinor, currency: "NGN" });

/** A tenant whose payouts lose 150.00 NGN on the way and are promised in three business days. */
async function tenantWithOtherFees() {
  const tenantId = await openTenant(world);
  const method = corridor.deliveryMethods[0]!;
  const deliveries = [{ method, estimateMinutes: 30, deliveryDays: 3 }];
  const otherFees = [{ name: "Fee of the bank", amountMinor: 150_00n, deliveryMethods: [] }];
  await world.operator.putCorridor({ corridor: { ...corridor, deliveries, otherFees } }, on(tenantId));
  return tenantId;
}
const question = { sendAmount: "100.00", receivingCountry: "NG", type: "DELIVERY_METHOD_ACCOUNTPAYMENT" as const };
const quoted = async (tenantId: string) =>
  (await world.gateway.createQuote(question, on(tenantId, ada))).quote!.quoteId;
const template = { profile: "GENERIC", version: 0 };
const put = (tenantId: string, part: WirePartial<DisclosureTemplate> = {}, reason = "") =>
  world.gateway.putDisclosureTemplate({ template: { ...template, ...part }, reason }, on(tenantId, manager));
const held = async (tenantId: string) => {
  const { templates } = await world.gateway.listDisclosureTemplates({}, on(tenantId, manager));
  return templates.find(({ profile }) => profile === "GENERIC")!;
};

describe("what a sender is told", () => {
  test("is the same on the quote, before the payment and on the receipt, in figures, words and print", async () => {
    const tenantId = await tenantWithOtherFees();
    const quoteId = await quoted(tenantId);
    const ofQuote = await world.gateway.getQuoteDisclosure({ quoteId, asPdf: true }, on(tenantId, ada));
    const asked = order({ dynamicFields: { quoteId } });
    const { transaction } = await world.gateway.createTransaction(asked, on(tenantId, ada));
    const { transactionId, availableOn, transactionCode } = transaction!;
    const before = await world.gateway.getTransactionDisclosure({ transactionId, asPdf: true }, on(tenantId, ada));
    await world.db
      .collection("transactions")
      .updateOne({ tenantId, transactionId }, { $set: { paidAt: new Date("2026-11-21T10:15:00Z") } });
    const receipt = await world.gateway.getReceipt({ transactionId, asPdf: true }, on(tenantId, ada));
    const figures = {
      transferAmount: usd(100_00n),
      fees: [{ name: "Transfer fee", amount: usd(2_50n), taxMinor: 19n }],
      totalAmount: usd(102_69n),
      exchangeRate: "1600",
      shownRate: "1 USD = 1,600.00 NGN",
      transferredAmount: naira(160_000_00n),
      otherFees: [{ name: "Fee of the bank", amount: naira(150_00n) }],
      totalToRecipient: naira(159_850_00n),
    };
    expect(ofQuote.disclosure).toMatchObject({ ...figures, kind: "PREPAYMENT", language: "en" });
    expect(before.disclosure).toMatchObject({ ...figures, kind: "PREPAYMENT", availableOn });
    expect(receipt.disclosure).toMatchObject({ ...figures, kind: "RECEIPT", availableOn });
    expect(transaction!.totalAmount).toEqual(figures.totalAmount);
    expect(before.transactionCode).toBe(transactionCode);
    expect(availableOn).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(receipt.disclosure!.sections.flatMap(({ texts }) => texts).join(" ")).toContain("within 30 minutes");
    for (const { pdf } of [ofQuote, before, receipt]) {
      const texts = textsOf(Buffer.from(pdf));
      for (const text of ["102.69 USD", "-150.00 NGN", "159,850.00 NGN", "Right to cancel"])
        expect(texts).toContain(text);
    }
    // Who wants figures is drawn nothing.
    const plain = await world.gateway.getTransactionDisclosure({ transactionId }, on(tenantId, ada));
    expect(plain).toEqual({ ...before, pdf: Buffer.alloc(0) });
  });

  test("stays what it was when it was paid for, whatever template, profile and language hold since", async () => {
    const tenantId = await tenantWithOtherFees();
    const words = (text: string) => ({ languages: [{ language: "en", texts: [{ name: "cancel", text }] }] });
    await world.decide((await put(tenantId, words("First {{minutes}} minutes."))).approvalId);
    const { transaction } = await world.gateway.createTransaction(order(), on(tenantId, ada));
    const { transactionId, totalAmount } = transaction!;
    const claim = { transactionId, paymentId: "p-1", customerId: "c1", totalAmount, funding: "WALLET" };
    await world.wallet.claimTransaction(claim, on(tenantId, ada));
    const paidAt = new Date("2026-11-21T10:15:00Z");
    await world.wallet.markTransactionPaid({ transactionId, paymentId: "p-1", paidAt }, on(tenantId));
    const receipt = async (id = transactionId) =>
      (await world.gateway.getReceipt({ transactionId: id }, on(tenantId, ada))).disclosure!;
    const first = await receipt();
    expect(first).toMatchObject({ profile: "GENERIC", templateVersion: 1 });
    expect(first.sections.flatMap(({ texts }) => texts)).toContain("First 30 minutes.");
    await world.decide((await put(tenantId, { version: 1, ...words("Second {{minutes}} minutes.") })).approvalId);
    const profiles = [{ profile: "US_BSA", originCountries: ["USA"], currency: "USD", onMissing: "WAIT" }];
    world.neighbours.profiles = { policyVersion: 2, profiles };
    await asksIdentityAnew();
    expect(await held(tenantId)).toMatchObject({ version: 2 });
    expect(await receipt()).toEqual(first);
    const quoteId = await quoted(tenantId);
    const { disclosure } = await world.gateway.getQuoteDisclosure({ quoteId }, on(tenantId, ada));
    expect(disclosure!.profile).toBe("US_BSA");
  });

  test("is in the language that is asked for, or the organisation's; another is refused", async () => {
    const tenantId = await tenantWithOtherFees();
    const quoteId = await quoted(tenantId);
    const read = (language = "") => world.gateway.getQuoteDisclosure({ quoteId, language }, on(tenantId, ada));
    const german = (await read("de")).disclosure!;
    expect(german).toMatchObject({ language: "de", title: "Informationen vor der Zahlung" });
    expect(german.lines.find(({ name }) => name === "total")).toMatchObject({
      label: "Gesamtbetrag",
      value: "102,69 USD",
      isSum: true,
    });
    const french = (await read("fr")).disclosure!;
    expect(french).toMatchObject({ language: "fr", title: "Informations avant le paiement" });
    expect(french.languages).toEqual(["en", "de", "fr"]);
    expect(french).toMatchObject({ cashReceived: "Espèces reçues", cashChange: "Monnaie rendue" });
    expect(french.lines.find(({ name }) => name === "totalToRecipient")).toMatchObject({
      label: "Total pour le bénéficiaire",
      value: "159\u202f850,00 NGN",
    });
    expect(await faultOf(read("it"))).toEqual(["INVALID_INPUT", "language"]);
    // The sender's own comes before the organisation's.
    world.neighbours.preference = { locale: "de-AT" };
    const austrian = await tenantWithOtherFees();
    const theirs = await quoted(austrian);
    const usual = () => world.gateway.getQuoteDisclosure({ quoteId: theirs }, on(austrian, ada));
    expect((await usual()).disclosure!.language).toBe("de");
    world.neighbours.shown = (customer) => ({ ...customer, language: "en" });
    expect((await usual()).disclosure!.language).toBe("en");
  });

  test.each([
    ["en", "Right to cancel", "Date available", "-150.00 NGN"],
    ["de", "Recht auf Stornierung", "Verfügbar am", "-150,00 NGN"],
    ["fr", "Droit d’annulation", "Disponible le", "-150,00 NGN"],
  ])("is printed whole in %s", async (language, heading, label, fee) => {
    const tenantId = await tenantWithOtherFees();
    const quoteId = await quoted(tenantId);
    const { disclosure, pdf } = await world.gateway.getQuoteDisclosure(
      { quoteId, language, asPdf: true },
      on(tenantId, ada),
    );
    const texts = textsOf(Buffer.from(pdf));
    expect(texts).toEqual(expect.arrayContaining([disclosure!.title, heading, label, fee]));
    const value = disclosure!.lines.find(({ name }) => name === "totalToRecipient")!.value;
    expect(texts.map((text) => text.replaceAll(/\s/g, " "))).toContain(value.replaceAll(/\s/g, " "));
  });

  test("is by the template of the profile that holds for the origin country", async () => {
    const tenantId = await tenantWithOtherFees();
    const quoteId = await quoted(tenantId);
    const profiles = [{ profile: "US_BSA", originCountries: ["USA"], currency: "USD", onMissing: "WAIT" }];
    world.neighbours.profiles = { policyVersion: 2, profiles };
    await asksIdentityAnew();
    const { disclosure } = await world.gateway.getQuoteDisclosure({ quoteId }, on(tenantId, ada));
    expect(disclosure!.profile).toBe("US_BSA");
    expect(disclosure!.sections.at(-1)!.texts.join(" ")).toContain("855-411-2372");
  });

  test("is for those who may read the quote and the transaction", async () => {
    const tenantId = await tenantWithOtherFees();
    const quoteId = await quoted(tenantId);
    const read = (user: typeof ada | typeof ben | typeof cashier, of = tenantId) =>
      world.gateway.getQuoteDisclosure({ quoteId }, on(of, user));
    for (const user of [ben, cashier]) expect((await refused(read(user))).code).toBe("FORBIDDEN");
    expect((await refused(read(ada, testTenant()))).code).toBe("QUOTE_NOT_FOUND");
    const { transaction } = await world.gateway.createTransaction(order(), on(tenantId, ada));
    const { transactionId } = transaction!;
    const of = (user: typeof ben, id = transactionId) =>
      refused(world.gateway.getTransactionDisclosure({ transactionId: id }, on(tenantId, user)));
    expect((await of(ben)).code).toBe("FORBIDDEN");
    expect((await of(ben, "nope")).code).toBe("TRANSACTION_NOT_FOUND");
  });
});

describe("the organisation's words", () => {
  const own = { language: "en", texts: [{ name: "cancel", text: "Cancel within {{minutes}} minutes." }] };

  test("wait for another manager, hold with history, and stand on what is read afterwards", async () => {
    const tenantId = await tenantWithOtherFees();
    const operator = { phone: "+1 800 555 0100" };
    const answer = await put(tenantId, { operator, languages: [own] }, "our lawyer");
    expect(answer).toMatchObject({ approvalStatus: "PENDING", template: { version: 0, languages: [] } });
    const asked = world.neighbours.asked.filter((one) => one.tenantId === tenantId);
    expect(asked).toMatchObject([{ kind: "SETTING_CHANGE", reason: "our lawyer", approvalId: answer.approvalId }]);
    expect(await put(tenantId, { operator, languages: [own] }, "our lawyer")).toMatchObject({
      approvalId: answer.approvalId,
    });
    const { noted } = await world.decide(answer.approvalId);
    expect(noted).toEqual([
      `SETTING_SET ${asked[0]!.subject} operator.phone:  → +1 800 555 0100`,
      `SETTING_SET ${asked[0]!.subject} texts.en.cancel:  → Cancel within {{minutes}} minutes.`,
    ]);
    expect(await held(tenantId)).toMatchObject({ version: 1, operator, languages: [own] });
    const { changes } = await world.gateway.listChanges({ kind: "DISCLOSURE", key: "GENERIC" }, on(tenantId, manager));
    expect(changes).toMatchObject([{ version: 1, changedBy: "MA1", content: { approvedBy: "MA2" } }]);
    const quoteId = await quoted(tenantId);
    const { disclosure } = await world.gateway.getQuoteDisclosure({ quoteId }, on(tenantId, ada));
    const texts = disclosure!.sections.flatMap((section) => section.texts);
    expect(texts).toContain("Cancel within 30 minutes.");
    expect(texts).toContain("Test, +1 800 555 0100");
    // As it holds it makes no version; on a version that is gone it is refused.
    expect(await put(tenantId, { operator, languages: [own] })).toMatchObject({
      approvalId: "",
      template: { version: 1 },
    });
    expect((await refused(put(tenantId, { languages: [] }))).code).toBe("STATE_CONFLICT");
  });

  test("whoever approves them sees each whole, and how many more there are than the summary names", async () => {
    const tenantId = testTenant();
    const needed: Record<string, string> = { taxOn: "{{fee}}", maySooner: "{{date}}", cancel: "{{minutes}}" };
    const texts = disclosureTextNames.map((name) => ({
      name,
      text: `${name} ${needed[name] ?? ""} `.padEnd(1_000, "x"),
    }));
    const { approvalId } = await put(tenantId, { languages: [{ language: "en", texts }] });
    const { summary, moreChanges, changes } = world.neighbours.asked.find((one) => one.approvalId === approvalId)!;
    expect(summary).toMatch(/^Disclosures of GENERIC: texts\.en\.prepaymentTitle, .* and \d+ more$/);
    expect(changes.length + moreChanges).toBe(texts.length);
    const { noted } = await world.decide(approvalId);
    const told = texts.map(({ name, text }) => `texts.en.${name}:  → ${text}`);
    expect(noted.map((one) => one.replace(/^SETTING_SET \S+ /, ""))).toEqual(expect.arrayContaining(told));
  });

  test("approved after another change they do not hold; refused they change nothing", async () => {
    const tenantId = testTenant();
    const one = await put(tenantId, { operator: { phone: "1" } });
    const other = await put(tenantId, { operator: { phone: "2" } });
    await world.decide(one.approvalId);
    const { subject } = world.neighbours.asked.find(({ approvalId }) => approvalId === other.approvalId)!;
    expect((await world.decide(other.approvalId)).noted).toEqual([`NOTHING_DONE ${subject}`]);
    expect(await held(tenantId)).toMatchObject({ version: 1, operator: { phone: "1" } });
    const third = await put(tenantId, { version: 1, operator: { phone: "3" } });
    await world.decide(third.approvalId, "REFUSED");
    expect(await held(tenantId)).toMatchObject({ version: 1, operator: { phone: "1" } });
  });

  test("as they are shipped hold to what is asked of own ones, in each language and profile", async () => {
    const tenantId = testTenant();
    const { templates } = await world.gateway.listDisclosureTemplates({}, on(tenantId, manager));
    expect(templates).toHaveLength(4);
    for (const { profile, shipped } of templates) {
      expect(shipped.map(({ language }) => language)).toEqual(["en", "de", "fr"]);
      const draft = { template: { profile, version: 0, languages: shipped }, kind: "RECEIPT" };
      for (const { language, texts } of shipped) {
        expect(texts.map(({ name }) => name).toSorted()).toEqual(disclosureTextNames.toSorted());
        const { disclosure } = await world.gateway.previewDisclosureTemplate(
          { ...draft, language },
          on(tenantId, manager),
        );
        expect(disclosure).toMatchObject({ language, profile });
        // No placeholder is left, and each that the English text has says something here as well.
        expect(JSON.stringify(disclosure!.sections)).not.toMatch(/[{}]{2}[a-z]/);
        const rights = disclosure!.sections.flatMap((section) => section.texts).join(" ");
        expect(rights).toContain("30 ");
        expect(rights).toContain("Test");
        if (profile === "US_BSA") expect(rights).toContain("180 ");
        if (profile === "EU_TFR" || profile === "UK_FTR") expect(rights).toMatch(/13 .*15 /);
      }
    }
  });

  test.each<[string, WirePartial<DisclosureTemplate>]>([
    ["profile", { profile: "OWN" }],
    ["operator.phone", { operator: { phone: "1".repeat(61) } }],
    ["operator.website", { operator: { website: "bank\u202eelpmaxe" } }],
    ["authorities.0.name", { authorities: [{ phone: "1" }] }],
    ["authorities", { authorities: Array.from({ length: 4 }, () => ({ name: "A" })) }],
    ["languages.0.language", { languages: [{ language: "xx" }] }],
    ["languages.1.language", { languages: [own, own] }],
    ["languages.0.texts", { languages: [{ language: "it", texts: own.texts }] }],
    ["languages.0.texts.0.name", { languages: [{ language: "en", texts: [{ name: "nope", text: "x" }] }] }],
    ["languages.0.texts.cancel", { languages: [{ language: "en", texts: [{ name: "cancel", text: "Any time." }] }] }],
    ["languages.0.texts.total", { languages: [{ language: "en", texts: [{ name: "total", text: "{{fee}}" }] }] }],
    [
      "languages.0.texts.total",
      { languages: [{ language: "en", texts: [{ name: "total", text: "x".repeat(1_001) }] }] },
    ],
  ])("400 names %s", async (path, part) => {
    const tenantId = testTenant();
    expect(await faultOf(put(tenantId, part))).toEqual(["INVALID_INPUT", path]);
    const draft = { template: { ...template, ...part } };
    const seen = world.gateway.previewDisclosureTemplate(draft, on(tenantId, manager));
    expect(await faultOf(seen)).toEqual(["INVALID_INPUT", path]);
  });

  test("in a language that none are shipped in they are whole, and are read from the right where it is", async () => {
    const tenantId = testTenant();
    const values: Record<string, string> = { taxOn: "{{fee}} ضريبة", maySooner: "{{date}}", cancel: "{{minutes}}" };
    const texts = disclosureTextNames.map((name) => ({ name, text: values[name] ?? "نص" }));
    const draft = { ...template, profile: "US_BSA", languages: [{ language: "ar", texts }] };
    const { disclosure, pdf } = await world.gateway.previewDisclosureTemplate(
      { template: draft, language: "ar", kind: "RECEIPT", asPdf: true },
      on(tenantId, manager),
    );
    expect(disclosure).toMatchObject({ language: "ar", profile: "US_BSA", kind: "RECEIPT", title: "نص" });
    expect(disclosure!.sections.at(-1)!.texts.at(-1)).toContain("Consumer Financial Protection Bureau");
    expect(textsOf(Buffer.from(pdf)).join(" ")).toContain("ضريبة");
    expect((await refused(world.gateway.listDisclosureTemplates({}, on(tenantId, ada)))).code).toBe("FORBIDDEN");
  });
});
