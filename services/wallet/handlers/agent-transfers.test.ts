import { randomUUID } from "node:crypto";
import { createAccountDesk } from "../../../test/support/account-desk.js";
import {
  createWalletFixture,
  eventually,
  refusalOf,
  type Person,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_agent_transfers", { recoverAfterMs: 150 });
});
afterEach(() => wallet.crashAt(undefined));
afterAll(() => wallet.close());

const refused = (code: string) => expect.objectContaining({ code });
const key = () => ({ idempotencyKey: randomUUID() });

/** An agent with 500.00 and a line of 3,000.00, and another with nothing. */
async function twoAgents() {
  const desk = await createAccountDesk(wallet, { creditLineMinor: 3_000_00n });
  const receiver = await desk.hire();
  const { agent } = desk;
  const offer = (amount = "200", more: object = {}, as: Person = agent) =>
    wallet.gateway.offerAgentTransfer(
      { ...key(), receiverId: receiver.userId, currency: "USD", amount, ...more },
      wallet.calls(as),
    );
  const accept = (transferId: string, as: Person = receiver, given = key()) =>
    wallet.gateway.acceptAgentTransfer({ ...given, transferId }, wallet.calls(as));
  const end = (transferId: string, as: Person, given = key()) =>
    wallet.gateway.endAgentTransfer({ ...given, transferId }, wallet.calls(as));
  return {
    ...desk,
    receiver,
    offer,
    offered: async (amount?: string) => (await offer(amount)).transfer?.transferId ?? "",
    accept,
    end,
    /** Balances in the wallet and in the ledger, of giver and receiver. */
    async both() {
      const accounts = [await desk.accountOf(), await desk.accountOf(receiver.userId)];
      return [
        accounts.map((one) => one?.balanceMinor),
        [desk.inLedger(), desk.inLedger("agent_account", receiver.userId)],
      ];
    },
  };
}

describe("money that an agent offers another", () => {
  test("is the giver's until it is accepted, once, and cannot be sold for meanwhile", async () => {
    const { offered, accept, accountOf, receiver, both, lines } = await twoAgents();
    const transferId = await offered("500");
    expect(await accountOf()).toMatchObject({
      balanceMinor: 500_00n,
      reservedMinor: 500_00n,
      availableMinor: 3_000_00n,
    });
    expect(await both()).toEqual([
      [500_00n, 0n],
      [500_00n, 0n],
    ]);
    const mine = key();
    const first = await accept(transferId, receiver, mine);
    expect(first.transfer).toMatchObject({ transferId, status: "ACCEPTED", amount: { amountMinor: 500_00n } });
    expect(await accept(transferId, receiver, mine)).toEqual(first);
    await expect(accept(transferId)).rejects.toEqual(refused("STATE_CONFLICT"));
    expect(await both()).toEqual([
      [0n, 500_00n],
      [0n, 500_00n],
    ]);
    expect((await lines()).at(-1)).toEqual(["TRANSFER_OUT", "ACCOUNT", -500_00n]);
    expect(await lines(receiver.userId)).toEqual([["TRANSFER_IN", "ACCOUNT", 500_00n]]);
    expect(await accountOf(receiver.userId)).toMatchObject({ availableMinor: 3_500_00n });
  });

  test("is no more than is prefunded and free; the line is not lowered below what was sold beside it", async () => {
    const { offer, offered, sell, accept, put, agent, both } = await twoAgents();
    expect(await refusalOf(offer("500.01"))).toMatchObject({
      code: "AGENT_LIMIT",
      details: { figures: { available: "500.00", asked: "500.01", currency: "USD" } },
    });
    const transferId = await offered("400");
    expect(await refusalOf(offer("100.01"))).toMatchObject({ details: { figures: { available: "100.00" } } });
    for (let at = 0; at < 30; at += 1) await sell();
    await expect(sell()).rejects.toEqual(refused("AGENT_LIMIT"));
    expect(await refusalOf(put(agent.userId, { creditLineMinor: 2_980_69n }))).toMatchObject({
      details: { figures: { used: "2980.70" } },
    });
    await accept(transferId);
    expect(await both()).toEqual([
      [-2_980_70n, 400_00n],
      [-2_980_70n, 400_00n],
    ]);
  });

  test("is taken back by the giver or declined by the receiver, once, and free again", async () => {
    const { offered, end, accept, accountOf, agent, receiver } = await twoAgents();
    const [one, other] = [await offered("100"), await offered("50")];
    const mine = key();
    const first = await end(one, agent, mine);
    expect(first.transfer?.status).toBe("WITHDRAWN");
    expect(await end(one, agent, mine)).toEqual(first);
    expect((await end(other, receiver)).transfer?.status).toBe("DECLINED");
    for (const id of [one, other]) {
      await expect(end(id, agent)).rejects.toEqual(refused("STATE_CONFLICT"));
      await expect(accept(id)).rejects.toEqual(refused("STATE_CONFLICT"));
    }
    expect(await accountOf()).toMatchObject({ balanceMinor: 500_00n, reservedMinor: 0n });
  });

  test("of many who accept, decline and take back at once, one does", async () => {
    const { offered, end, accept, both, agent, receiver } = await twoAgents();
    const transferId = await offered("500");
    const tries = Array.from({ length: 12 }, (_, at) =>
      at % 3 === 0 ? end(transferId, agent) : at % 3 === 1 ? end(transferId, receiver) : accept(transferId),
    );
    const ended = await Promise.allSettled(tries);
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const [inWallet, inLedger] = await both();
    expect(inWallet).toEqual(inLedger);
    expect([
      [500_00n, 0n],
      [0n, 500_00n],
    ]).toContainEqual(inLedger);
  });

  test("of many offers at once no more are set aside than there is", async () => {
    const { offer, accountOf } = await twoAgents();
    const ended = await Promise.allSettled(Array.from({ length: 12 }, () => offer("100")));
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    expect(await accountOf()).toMatchObject({ balanceMinor: 500_00n, reservedMinor: 500_00n });
  });

  test.each(["recorded", "posted", "ended"])("cut off at wallet.movement.%s arrives once", async (step) => {
    const { offered, accept, both, receiver, stored } = await twoAgents();
    const transferId = await offered("300");
    wallet.crashAt(`wallet.movement.${step}`);
    const mine = key();
    const first = await accept(transferId, receiver, mine).catch(() => undefined);
    await eventually("it to end", async () => (await stored("agent_transfers", { status: "ACCEPTED" })).length === 1);
    expect(wallet.crashedAt(`wallet.movement.${step}`)).toBe(true);
    const again = await accept(transferId, receiver, mine);
    if (first !== undefined) expect(again).toEqual(first);
    expect(await both()).toEqual([
      [200_00n, 300_00n],
      [200_00n, 300_00n],
    ]);
  });

  test("moves from or to nobody who is suspended, and the giver has it back all the same", async () => {
    const { offered, offer, accept, end, manager, agent, receiver, accountOf } = await twoAgents();
    const transferId = await offered("100");
    const suspend = (agentId: string) =>
      wallet.gateway.suspendAgent({ ...key(), agentId, reason: "Short" }, wallet.calls(manager));
    await suspend(agent.userId);
    await expect(accept(transferId)).rejects.toEqual(refused("AGENT_SUSPENDED"));
    await expect(offer("1")).rejects.toEqual(refused("AGENT_SUSPENDED"));
    expect((await end(transferId, agent)).transfer?.status).toBe("WITHDRAWN");
    expect(await accountOf()).toMatchObject({ reservedMinor: 0n });
    await suspend(receiver.userId);
    await expect(offer("1")).rejects.toEqual(refused("NOT_FOUND"));
  });

  test("is not taken by a receiver who sells out of a till since they were looked at", async () => {
    const { offered, accept, receiver, changedMeanwhile, stored, both, end, agent } = await twoAgents();
    const transferId = await offered("500");
    const hasLooked = async () => (await stored("agent_balances", { agentId: receiver.userId })).length > 0;
    const ended = await changedMeanwhile(receiver.userId, { mode: "TILL" }, hasLooked, () => accept(transferId));
    expect(ended).toMatchObject({ status: "rejected", reason: { code: "NOT_FOUND" } });
    expect(await both()).toEqual([
      [500_00n, 0n],
      [500_00n, 0n],
    ]);
    expect((await end(transferId, agent)).transfer?.status).toBe("WITHDRAWN");
  });

  test("is taken back by a manager, too: its giver may be gone", async () => {
    const { offered, end, accept, manager, receiver, accountOf } = await twoAgents();
    const transferId = await offered("500");
    expect((await end(transferId, manager)).transfer).toMatchObject({ status: "WITHDRAWN" });
    await expect(accept(transferId, receiver)).rejects.toEqual(refused("STATE_CONFLICT"));
    expect(await accountOf()).toMatchObject({ balanceMinor: 500_00n, reservedMinor: 0n });
  });

  test("is theirs alone to read and to end, and a manager's", async () => {
    const { offered, accept, end, hire, manager, agent, receiver, tenantId } = await twoAgents();
    const transferId = await offered("100");
    const other = await hire();
    for (const as of [other]) {
      await expect(accept(transferId, as)).rejects.toEqual(refused("FORBIDDEN"));
      await expect(end(transferId, as)).rejects.toEqual(refused("FORBIDDEN"));
    }
    await expect(accept(transferId, agent)).rejects.toEqual(refused("FORBIDDEN"));
    await expect(accept(transferId, wallet.person(undefined, "AGENT"))).rejects.toEqual(refused("NOT_FOUND"));
    await expect(accept(transferId, wallet.person(tenantId, "CASHIER"))).rejects.toEqual(refused("FORBIDDEN"));
    const listed = async (as: Person, more: object = {}) =>
      (await wallet.gateway.listAgentTransfers(more, wallet.calls(as))).transfers.map((one) => one.transferId);
    for (const as of [agent, receiver, manager]) expect(await listed(as)).toEqual([transferId]);
    expect(await listed(other)).toEqual([]);
    await end(transferId, receiver);
    expect(await listed(manager, { openOnly: true })).toEqual([]);
  });

  test("is refused by the field, and for whoever has no account", async () => {
    const { offer, agent, hire, set, tenantId } = await twoAgents();
    const atTill = await hire();
    await set(atTill.userId, { creditLineMinor: undefined }, { mode: "TILL" });
    const cases: [object, string][] = [
      [{ amount: "0" }, "AMOUNT_NOT_POSITIVE"],
      [{ amount: "0.001" }, "INVALID_INPUT"],
      [{ amount: "92233720368547758.08" }, "AMOUNT_TOO_LARGE"],
      [{ currency: "XXA" }, "INVALID_INPUT"],
      [{ currency: "NGN" }, "NOT_FOUND"],
      [{ receiverId: agent.userId }, "INVALID_INPUT"],
      [{ receiverId: atTill.userId }, "NOT_FOUND"],
      [{ receiverId: wallet.person(tenantId, "AGENT").userId }, "NOT_FOUND"],
      [{ receiverId: wallet.person(undefined, "AGENT").userId }, "NOT_FOUND"],
    ];
    for (const [part, code] of cases) await expect(offer("1", part)).rejects.toEqual(refused(code));
    await expect(offer("1", {}, atTill)).rejects.toEqual(refused("STATE_CONFLICT"));
  });
});

describe("whom an agent can offer money to", () => {
  const named = ({ userId }: Person) => ({ agentId: userId, name: `Staff ${userId}` });
  const inOrder = (people: Person[]) => people.map(named).toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1));

  test("is every other agent with an account in the currency who is not suspended, a page at a time", async () => {
    const { agent, receiver, hire, set, manager, tenantId, offer, end } = await twoAgents();
    const listed = async (by: Person, more: object = {}) =>
      (await wallet.gateway.listTransferReceivers({ currency: "USD", ...more }, wallet.calls(by))).receivers;
    const [atTill, suspended, left, other] = [await hire(), await hire(), await hire(), await hire()];
    await set(atTill.userId, { creditLineMinor: undefined }, { mode: "TILL" });
    const reason = "Short";
    await wallet.gateway.suspendAgent({ ...key(), agentId: suspended.userId, reason }, wallet.calls(manager));
    wallet.identity.staff.set(left.userId, { tenantId, role: "AGENT", disabled: true });
    await createAccountDesk(wallet);
    expect(await listed(agent)).toEqual(inOrder([receiver, other]));
    expect(await listed(manager)).toEqual(inOrder([agent, receiver, other]));
    expect(await listed(agent, { currency: "NGN" })).toEqual([]);
    for (const { agentId } of await listed(agent)) {
      const { transfer } = await offer("1", { receiverId: agentId });
      await end(transfer?.transferId ?? "", agent);
    }

    const paged = [];
    for (let cursor: string | undefined = ""; cursor !== undefined;) {
      const wanted = { currency: "USD", pageSize: 1, cursor };
      const page = await wallet.gateway.listTransferReceivers(wanted, wallet.calls(agent));
      expect(page.receivers.length).toBeLessThanOrEqual(1);
      paged.push(...page.receivers);
      cursor = page.nextCursor === "" ? undefined : page.nextCursor;
    }
    expect(paged).toEqual(inOrder([receiver, other]));
  });

  test("is asked by the field, and by agents and managers alone", async () => {
    const { agent, tenantId } = await twoAgents();
    const ask = (request: object, by: Person = agent) =>
      wallet.gateway.listTransferReceivers({ currency: "USD", ...request }, wallet.calls(by));
    for (const [request, path] of [
      [{ currency: "" }, "currency"],
      [{ currency: "XXA" }, "currency"],
      [{ pageSize: 101 }, "pageSize"],
    ] as const) {
      expect(await refusalOf(ask(request))).toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ path }] } });
    }
    for (const role of ["CASHIER", "CUSTOMER"] as const) {
      await expect(ask({}, wallet.person(tenantId, role))).rejects.toEqual(refused("FORBIDDEN"));
    }
  });
});
