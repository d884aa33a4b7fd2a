import type { GetAccountsResponse } from "../../../proto/gen/ledger/v1/ledger.js";
import { batchAccountReads } from "./account-reads.js";
import type { CallOptions } from "../../kernel/grpc/client.js";
import { Refusal } from "../../kernel/refusal.js";
import { runsFor, takes } from "../../../test/support/time.js";

const call = (tenantId = "t"): CallOptions => ({ tenantId, interactionId: "i" });
const idsOf = ({ accounts }: GetAccountsResponse) => accounts.map(({ accountId }) => accountId);

/**
 * A ledger that takes 20 ms, knows what begins with "a", in an order of its own,
 * and refuses what is named "bad".
 */
function createLedger() {
  const requested: { tenantId: string; ids: string[] }[] = [];
  const ledger = {
    asked: requested,
    async getAccounts({ accountIds = [] }: { accountIds?: readonly string[] | undefined }, { tenantId }: CallOptions) {
      requested.push({ tenantId, ids: [...accountIds] });
      await takes(20);
      if (accountIds.includes("bad")) throw new Refusal("INVALID_INPUT", "bad");
      const known = accountIds.filter((id) => id.startsWith("a")).toReversed();
      return { accounts: known.map((accountId) => ({ accountId })) } as GetAccountsResponse;
    },
  };
  return ledger;
}

test("what comes while a read is under way goes with the next one, and each gets its own accounts in its order", async () => {
  const ledger = createLedger();
  const { getAccounts } = batchAccountReads(ledger);
  const first = getAccounts({ accountIds: ["a0"] }, call());
  await runsFor(5);
  const answers = await Promise.all([
    getAccounts({ accountIds: ["a2", "a1", "a2"] }, call()),
    getAccounts({ accountIds: ["x", "a1"] }, call()),
    getAccounts({ accountIds: ["x"] }, call()),
  ]);
  expect(idsOf(await first)).toEqual(["a0"]);
  expect(answers.map(idsOf)).toEqual([["a2", "a1"], ["a1"], []]);
  expect(ledger.asked.map(({ ids }) => ids)).toEqual([["a0"], ["a2", "a1", "x"]]);
});

test("who asks for none is asked for alone", async () => {
  const ledger = createLedger();
  const { getAccounts } = batchAccountReads(ledger);
  await Promise.all([getAccounts({ accountIds: ["a1"] }, call()), getAccounts({ accountIds: [] }, call())]);
  expect(ledger.asked.map(({ ids }) => ids).toSorted()).toEqual([[], ["a1"]]);
});

test("tenants share no read, and what one of them may not ask costs the others nothing", async () => {
  const ledger = createLedger();
  const { getAccounts } = batchAccountReads(ledger);
  const answers = await Promise.allSettled([
    getAccounts({ accountIds: ["a1"] }, call()),
    getAccounts({ accountIds: ["bad"] }, call()),
    getAccounts({ accountIds: ["a1"] }, call("u")),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(ledger.asked.filter(({ tenantId }) => tenantId === "u")).toEqual([{ tenantId: "u", ids: ["a1"] }]);
});
