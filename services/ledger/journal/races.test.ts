import { randomUUID } from "node:crypto";
import { createLedgerFixture, tenantCalls, transfer } from "../../../test/support/ledger-fixture.js";
import type { GroupResult } from "../../../proto/gen/ledger/v1/ledger.js";

const bank = "bank_settlement:USD";
const races = 500;
const atOnce = 50;

let fixture: Awaited<ReturnType<typeof createLedgerFixture>>;

beforeAll(async () => {
  fixture = await createLedgerFixture("ledger_races");
});
afterAll(() => fixture.close());

test(`${races} races of two linked groups that together would overdraw an account: one of each pair posts, never both`, async () => {
  const replicas = [await fixture.start(), await fixture.start()] as const;
  const tenant = tenantCalls();
  const [one, two] = replicas;
  for (let from = 0; from < races; from += atOnce) {
    const names = Array.from({ length: atOnce }, (_, n) => `r${from + n}`);
    await tenant.open(one, ["till", ...names.flatMap((name) => [`${name}-a`, `${name}-b`, `${name}-c`])]);
    const funding = names.flatMap((name) =>
      ["a", "b", "c"].map((side) => ({ transfers: [transfer(randomUUID(), bank, `${name}-${side}`, 100n)] })),
    );
    await one.wallet.postTransfers({ groups: funding, createdBy: "race" }, tenant.call());
    const outcomes = await Promise.all(
      names.map((name, n) => {
        const [a, b, c] = [`${name}-a`, `${name}-b`, `${name}-c`];
        // Both want 60 of the 100 in a, one as its first and one as its second transfer, by way of
        // different replicas.
        const first = [transfer(randomUUID(), a, "till", 60n), transfer(randomUUID(), b, "till", 1n)];
        const second = [transfer(randomUUID(), c, "till", 1n), transfer(randomUUID(), a, "till", 60n)];
        const [left, right] = n % 2 === 0 ? replicas : ([two, one] as const);
        return Promise.all([tenant.post(left, ...first), tenant.post(right, ...second)]);
      }),
    );
    expect(outcomes.map(describeOutcome)).toEqual(names.map(() => "one posted, one INSUFFICIENT_FUNDS"));
    const { accounts } = await one.wallet.getAccounts(
      { accountIds: names.flatMap((name) => [`${name}-a`, `${name}-b`, `${name}-c`]) },
      tenant.call(),
    );
    const balances = new Map(
      accounts.map((account) => [account.accountId, account.creditsPostedMinor - account.debitsPostedMinor]),
    );
    for (const [n, [left]] of outcomes.entries()) {
      const sides = ["a", "b", "c"].map((side) => balances.get(`${names[n]}-${side}`));
      // All of the one that posted, and nothing of the other.
      expect(sides).toEqual(left.posted === undefined ? [40n, 100n, 99n] : [40n, 99n, 100n]);
    }
  }
}, 120_000);

function describeOutcome(pair: readonly GroupResult[]): string {
  const posted = pair.filter((result) => result.posted !== undefined).length;
  const refused = pair.flatMap((result) => result.refused?.code ?? []);
  return `${posted === 1 ? "one" : posted} posted, one ${refused.join()}`;
}
