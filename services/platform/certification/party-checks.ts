import { isDeepStrictEqual } from "node:util";
import { amendmentAnswerShape, recordedShape } from "../plugins/payout-contract.js";
import { uniqueIdOf, type OrderBeneficiary, type OrderParties, type Originator } from "../plugins/party-contract.js";
import type { Check } from "./order-checks.js";
import { CheckFailed, expectStatus, expectThat, faultOf, newReference } from "./test-partner.js";
import type { Answer, TestPartner } from "./test-partner.js";

const never = { behaviour: "STALL" };
const address = { lines: ["12 Marina Road", "Flat 4"], postalCode: "E14 9GE", city: "London", country: "GBR" };

const person = (reference: string): Originator => ({
  kind: "PERSON",
  name: "Adaézè Òbí",
  address,
  dateOfBirth: "1990-04-12",
  placeOfBirth: { city: "Enugu", country: "NGA" },
  nationality: "NGA",
  document: { type: "PASSPORT", number: "A01234567", country: "NGA" },
  account: "2003004005",
  uniqueId: uniqueIdOf(reference).slice(-32),
  customerCode: "C-10001",
});
const company = (reference: string): Originator => ({
  kind: "COMPANY",
  name: "Obi & Søn <Trading> of all that is grown between Enugu and Öland Ltd 7",
  lei: "506700GE1G29325QX363",
  address,
  uniqueId: uniqueIdOf(reference).slice(-32),
  customerCode: "C-10002",
});
const recipient: OrderBeneficiary = {
  kind: "PERSON",
  name: "Ngozi Okafor",
  account: "3001234567",
  country: "NGA",
  address: { lines: ["7 Broad Street"], city: "Lagos", country: "NGA" },
  phone: "+2348012345678",
};
const trade: Omit<OrderParties, "originator" | "beneficiary"> = {
  purpose: "FAMILY_SUPPORT",
  relationship: "SISTER",
  sourceOfFunds: "SALARY",
  sendAmount: "5.00",
  sendCurrency: "GBP",
  transactionCode: "MNCERTIFIED1",
  remittanceText: "For the roof",
};

/** An order of contract 2. */
function orderOf(partner: TestPartner, reference: string, change: Partial<OrderParties> = {}) {
  const parties: OrderParties = { originator: person(reference), beneficiary: recipient, ...trade, ...change };
  return { ...partner.order(reference, { forced: never }), ...parties };
}

/** What its look at the payout has of who pays and who is paid. */
async function expectRecorded(
  partner: TestPartner,
  order: { reference: string; originator: Originator; beneficiary: OrderBeneficiary },
): Promise<void> {
  const answer = await partner.ask("GET", `/v1/payouts/${encodeURIComponent(order.reference)}`);
  const read = recordedShape.safeParse(expectStatus(answer, [200], "a look at a payout").body);
  if (!read.success) throw new CheckFailed(`a look at a payout: ${faultOf(read.error)}`);
  for (const party of ["originator", "beneficiary"] as const) {
    const recorded = read.data[party];
    expectThat(recorded !== undefined, `a look at a payout says no ${party}`);
    const other = differingMember(order[party], recorded!);
    expectThat(other === undefined, `${party}.${other} is another one than was sent`);
  }
}

function differingMember(sent: object, recorded: object): string | undefined {
  const [one, other] = [sent, recorded] as Readonly<Record<string, unknown>>[];
  const names = new Set([...Object.keys(one!), ...Object.keys(other!)]);
  return [...names].find((name) => !isDeepStrictEqual(one![name], other![name]));
}

async function expectStored(partner: TestPartner, change: (reference: string) => Partial<OrderParties>): Promise<void> {
  const reference = newReference();
  const order = orderOf(partner, reference, change(reference));
  await partner.accepted(order);
  await expectRecorded(partner, order);
}

async function expectConflict(
  partner: TestPartner,
  changed: (reference: string) => Partial<OrderParties>,
  what: string,
): Promise<void> {
  const reference = newReference();
  const order = orderOf(partner, reference);
  await partner.accepted(order);
  expectStatus(await partner.submit({ ...order, ...changed(reference) }), [409], `${what} under the same reference`);
  await expectRecorded(partner, order);
}

const amend = (partner: TestPartner, reference: string, body: object) =>
  partner.ask("POST", `/v1/payouts/${encodeURIComponent(reference)}/amendments`, { body });

function amendmentOf({ body }: Answer) {
  const read = amendmentAnswerShape.safeParse(body);
  if (!read.success) throw new CheckFailed(`an amendment: ${faultOf(read.error)}`);
  return read.data;
}

/** Who pays and who is paid travel with the money, unaltered: contract 2. */
export const partyChecks: readonly Check[] = [
  {
    name: "a person who pays, and who is paid, come back as they were sent",
    run: (partner) => expectStored(partner, () => ({})),
  },
  {
    name: "a company that pays comes back with its LEI",
    run: (partner) => expectStored(partner, (reference) => ({ originator: company(reference) })),
  },
  {
    name: "the longest names come back whole, in any script",
    async run(partner) {
      // 70 characters of which some take two units of UTF-16, and ones that read from the right.
      const [longest, other] = ["𠮷田 花子 ".repeat(11) + "北京市朝", "محمد بن عبد الله ".repeat(4) + "عا"];
      const lines = ["Ж".repeat(70), "Ü".repeat(70)];
      const home = { lines, city: "Ω".repeat(35), country: "GRC" };
      await expectStored(partner, (reference) => ({
        originator: { ...person(reference), name: longest, address: home, account: "9".repeat(34) },
        beneficiary: { ...recipient, name: other, address: home },
      }));
    },
  },
  {
    name: "the same order twice, byte for byte, is one payout with its parties",
    async run(partner) {
      const order = orderOf(partner, newReference());
      const [first, second] = [await partner.accepted(order), await partner.accepted(order)];
      expectThat(first.payoutId === second.payoutId, "the second time it is another payout");
      await expectRecorded(partner, order);
    },
  },
  {
    name: "the same reference with another originator is 409",
    run: (partner) =>
      expectConflict(
        partner,
        (reference) => ({ originator: { ...person(reference), name: "Bola Obi" } }),
        "another originator",
      ),
  },
  {
    name: "the same reference with another beneficiary is 409",
    run: (partner) =>
      expectConflict(partner, () => ({ beneficiary: { ...recipient, name: "Ngozi Eze" } }), "another beneficiary"),
  },
  {
    name: "a recall keeps who pays and who is paid",
    async run(partner) {
      const order = orderOf(partner, newReference());
      await partner.accepted(order);
      const { payout } = await partner.recall(order.reference);
      expectThat(payout.status === "RECALLED", `it is ${payout.status} and not RECALLED`);
      await expectRecorded(partner, order);
    },
  },
  {
    name: "an unknown member of a party is ignored",
    async run(partner) {
      const order = orderOf(partner, newReference());
      const later = { aMemberOfALaterVersion: ["anything"] };
      const { originator, beneficiary } = order;
      await partner.accepted({
        ...order,
        originator: { ...originator, ...later },
        beneficiary: { ...beneficiary, ...later },
      });
      await expectRecorded(partner, order);
    },
  },
  {
    name: "orders of a batch have their parties",
    async run(partner) {
      const orders = [person, company].map((of) => {
        const reference = newReference();
        return orderOf(partner, reference, { originator: of(reference) });
      });
      const body = { batchReference: newReference(), payouts: orders };
      expectStatus(await partner.ask("POST", "/v1/payout-batches", { body }), [200], "a batch");
      for (const order of orders) await expectRecorded(partner, order);
    },
  },
  {
    name: "an amendment is answered, once for each id, and leaves who pays as it was",
    async run(partner) {
      const order = orderOf(partner, newReference());
      await partner.accepted(order);
      const beneficiary = { ...recipient, name: "Ngozi Okafor-Eze" };
      const requested = { amendmentId: "a-1", beneficiary, reason: "a name was misspelled" };
      const seen = [];
      for (const _time of [1, 2]) {
        const answer = expectStatus(await amend(partner, order.reference, requested), [200, 422], "an amendment");
        const { amendmentId, reference, status } = amendmentOf(answer);
        expectThat(amendmentId === "a-1" && reference === order.reference, "its answer is about another one");
        expectThat((answer.status === 422) === (status === "REFUSED"), `it is ${answer.status} ${status}`);
        seen.push(status);
      }
      const [first, second] = seen;
      expectThat(first === "ACCEPTED" || first === second, `it was ${first}, and the second time ${second}`);
      const changed = { ...requested, beneficiary: { ...beneficiary, name: "Somebody Else" } };
      expectStatus(await amend(partner, order.reference, changed), [409], "another amendment under the same id");
      // One that is under way may be done by now.
      if (second !== "ACCEPTED") {
        await expectRecorded(partner, { ...order, beneficiary: second === "DONE" ? beneficiary : recipient });
      }
      const { payoutId } = await partner.accepted(order);
      expectThat(payoutId === (await partner.find(order.reference))?.payoutId, "sent again it is another payout");
    },
  },
  {
    name: "an amendment of what is unknown is 404",
    async run(partner) {
      const requested = { amendmentId: "a-1", beneficiary: recipient, reason: "a name was misspelled" };
      expectStatus(await amend(partner, newReference(), requested), [404], "an amendment of an unknown reference");
    },
  },
];
