import { createOpenMoney, tracesIn } from "../../../test/support/erasure.js";
import { createLendingFixture, type LendingFixture } from "../../../test/support/lending-fixture.js";
import { eventually } from "../../../test/support/wallet-fixture.js";
import { collections } from "../store/collections.js";

let lending: LendingFixture;
beforeAll(async () => {
  lending = await createLendingFixture("lend_erasure");
});
afterAll(() => lending.close());

const traces = ["Amina", "amina@test.example", "Uncle Zuberi"];

test("who announced and sent repayments is kept until the retention is over; the loan and its figures stay", async () => {
  const person = lending.person();
  const other = lending.person(person.tenantId);
  await lending.product(person.tenantId);
  const [loan, others] = [await lending.loan(person), await lending.loan(other)];
  for (const [who, { accountId }] of [
    [person, loan],
    [other, others],
  ] as const) {
    await lending.repay(who, accountId, "10", { bankAccountId: lending.bankAccount(who) });
  }
  const openMoney = createOpenMoney(lending.network, "lending", lending.service.port);
  expect(await openMoney(person)).toEqual({ loans: 1 });
  expect(await openMoney(lending.person(person.tenantId))).toEqual({});
  const repayments = lending.lendingDb.db.collection(collections.repayments);
  const own = { tenantId: person.tenantId, customerId: person.customerId };

  const first = await lending.erase(person, "AT_ONCE");
  expect(first).toEqual({ erased: { "kept-answers": 1 }, kept: { repayments: 1 } });
  expect(await repayments.findOne(own)).toMatchObject({ customerName: "Amina Bello" });

  // It waits for its bank transfer.
  expect((await lending.erase(person, "AFTER_RETENTION")).kept).toEqual({ repayments: 1 });
  const { _id, reference } = (await repayments.findOne(own))!;
  expect(reference).not.toBe("");
  await repayments.updateOne({ ...own, _id }, { $set: { status: "VERIFIED" } });
  await lending.lendingDb.db.collection(collections.credits).insertOne({
    _id: `${person.tenantId}/cr-1` as never,
    tenantId: person.tenantId,
    creditId: "cr-1",
    matchedTo: String(_id),
    state: "MATCHED",
    senderName: "Uncle Zuberi",
  });
  const second = await lending.erase(person, "AFTER_RETENTION");
  expect(second.erased).toMatchObject({ repayments: 1, "received-bank-transfers": 1 });
  expect(second.kept).toEqual({});
  const left = await repayments.findOne(own);
  expect(left).toMatchObject({ customerName: "erased", email: "", reference, currency: "USD" });
  const theirs = await repayments.findOne({ tenantId: person.tenantId, customerId: other.customerId });
  expect(theirs).toMatchObject({ customerName: "Amina Bello" });
  const before = await tracesIn(lending.lendingDb.database, person.tenantId, traces);
  expect(before).toEqual([
    "idempotency: Amina",
    "idempotency: amina@test.example",
    "repayments: Amina",
    "repayments: amina@test.example",
  ]);
  await repayments.updateOne({ tenantId: person.tenantId, customerId: other.customerId }, { $set: { status: "PAID" } });
  await lending.erase(other, "AFTER_RETENTION");
  await eventually("nothing to be left", async () => {
    return (await tracesIn(lending.lendingDb.database, person.tenantId, traces)).length === 0;
  });
});
