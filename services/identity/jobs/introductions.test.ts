import { newTenant } from "../../../test/support/identity.js";
import { startTellingIdentity } from "../../../test/support/identity-details.js";
import { waitFor } from "../../../test/support/index.js";

jest.setTimeout(60_000);

let world: Awaited<ReturnType<typeof startTellingIdentity>>;
beforeAll(async () => void (world = await startTellingIdentity({ introduceEveryMs: 100 })));
afterAll(() => world.stop());

const users = () => world.identity.db.collection<{ _id: string; isIntroduced?: true; erasedAt?: Date }>("users");
const introduced = (tenantId: string) => world.introduced.filter((one) => one.tenantId === tenantId);
const isMarked = async (userId: string) => (await users().findOne({ _id: userId }))?.isIntroduced === true;
/** As somebody who came without a call. */
const forget = (...userIds: string[]) =>
  users().updateMany(
    { _id: { $in: userIds } },
    { $unset: { isIntroduced: true, "customer.revision": true, staffRevision: true } },
  );

test("customers and staff of whom nobody was told are told of once, and no change of theirs with it", async () => {
  const t = await newTenant(world.identity);
  const amina = await t.customer("amina");
  const cashier = await t.staff("CASHIER");
  await waitFor(async () => (await isMarked(amina.userId)) && (await isMarked(cashier.userId)));
  world.introduced.length = 0;
  await forget(amina.userId, cashier.userId);
  await waitFor(async () => (await isMarked(amina.userId)) && (await isMarked(cashier.userId)));
  const people = introduced(t.tenantId).toSorted((one, other) => Number(one.isStaff) - Number(other.isStaff));
  const nothing = { revision: 0, knownRevision: 0, changed: [], proven: [] };
  expect(people).toEqual([
    expect.objectContaining({ ...nothing, customerId: amina.customerId, firstName: "amina", isStaff: false }),
    expect.objectContaining({ ...nothing, customerId: cashier.userId, firstName: "cashier", isStaff: true }),
  ]);
  // Another look, which the next one who comes shows, tells nobody again.
  const kofi = await t.customer("kofi");
  await waitFor(() => isMarked(kofi.userId));
  expect(
    introduced(t.tenantId)
      .map(({ customerId }) => customerId)
      .slice(2),
  ).toEqual([kofi.customerId]);
});

test("one of whom compliance cannot be told keeps back nobody, and is told of once it can be", async () => {
  const t = await newTenant(world.identity);
  const [first, second] = [await t.customer("amina"), await t.customer("kofi")];
  await waitFor(async () => (await isMarked(first.userId)) && (await isMarked(second.userId)));
  world.refused.add(first.customerId);
  world.introduced.length = 0;
  await forget(first.userId, second.userId);
  await waitFor(() => isMarked(second.userId));
  expect(await isMarked(first.userId)).toBe(false);
  world.refused.clear();
  await waitFor(() => isMarked(first.userId));
  expect(introduced(t.tenantId).map(({ customerId }) => customerId)).toEqual([second.customerId, first.customerId]);
});

test("a process that died after it told of a customer has them told of again; of the erased nobody is told", async () => {
  const t = await newTenant(world.identity);
  const [amina, gone] = [await t.customer("amina"), await t.customer("kofi")];
  await waitFor(async () => (await isMarked(amina.userId)) && (await isMarked(gone.userId)));
  await users().updateOne({ _id: gone.userId }, { $set: { erasedAt: new Date() } });
  world.introduced.length = 0;
  await forget(amina.userId, gone.userId);
  await waitFor(async () => (await isMarked(amina.userId)) && (await isMarked(gone.userId)));
  // As it stands where the process died before the mark.
  await users().updateOne({ _id: amina.userId }, { $unset: { isIntroduced: true } });
  await waitFor(() => isMarked(amina.userId));
  expect(introduced(t.tenantId).map(({ customerId }) => customerId)).toEqual([amina.customerId, amina.customerId]);
});
