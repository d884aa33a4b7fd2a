import { randomUUID } from "node:crypto";
import { testTenant } from "../../../test/support/index.js";
import { createWalletFixture, type WalletClient, type WalletFixture } from "../../../test/support/wallet-fixture.js";
import {
  createWalletScene,
  walletOperations,
  type Draft,
  type WalletScene,
} from "../../../test/support/wallet-operations.js";
import { rightPassword as password } from "../../../test/support/stand-in-identity.js";

interface Sender {
  rpc: string;
  client: WalletClient;
  draft: Draft;
  by: { tenantId: string; token?: string };
}

type Prepare = (wallet: WalletFixture, scene: WalletScene) => Sender | Promise<Sender>;

/**
 * One that would be done, by its rpc's name; a good one of each operation that customers and staff
 * send.
 */
const usual = (rpc: string): Prepare => {
  const { good, by } = walletOperations[rpc]!;
  return (wallet, scene) => ({ rpc, client: wallet.gateway, draft: good(scene), by: by(scene) });
};
const asOperator =
  (rpc: string, draft: (scene: WalletScene) => Draft): Prepare =>
  (wallet, scene) => ({ rpc, client: wallet.operator, draft: draft(scene), by: { tenantId: scene.tenantId } });
const asManager =
  (rpc: string, draft: Draft): Prepare =>
  (wallet, { manager }) => ({ rpc, client: wallet.gateway, draft: { ...draft, reason: "As agreed" }, by: manager });

const prepared: Record<string, Prepare> = {
  openWalletAccount: asOperator("openWalletAccount", ({ owner }) => ({
    customerId: owner.customerId,
    currency: "GBP",
  })),
  recordDeposit: asOperator("recordDeposit", ({ usd }) => ({
    accountId: usd,
    amount: { amountMinor: 5_00n, currency: "USD" },
    reference: "BANK-2",
  })),
  debitWallet: (wallet, { tenantId, usd, theirs, owner }) => {
    const legs = [{ creditAccountId: theirs, amountMinor: 1_00n, kind: "loan_repayment" }];
    const draft = { accountId: usd, customerId: owner.customerId, legs, description: "Loan" };
    return { rpc: "debitWallet", client: wallet.clientOf("lending"), draft, by: { tenantId } };
  },
  addBankAccount: (wallet, { owner }) => {
    const draft = { country: "NGA", currency: "NGN", bankCode: "058", accountNumber: "0123456790" };
    return { rpc: "addBankAccount", client: wallet.gateway, draft, by: owner };
  },
  receiveBankTransfer: (wallet) => {
    const draft = { currency: "USD", amount: "5", reference: "thank you", senderName: "Chidi Okafor" };
    const by = wallet.person(`${testTenant()}--sandbox`, "MANAGER");
    return { rpc: "receiveBankTransfer", client: wallet.gateway, draft, by };
  },
  setWalletLimit: asManager("setWalletLimit", { limit: { currency: "USD", perDayMinor: 1_000_000n } }),
  setCashLimit: asManager("setCashLimit", { limit: { currency: "USD", perDayMinor: 1_000_000n } }),
  ...Object.fromEntries(
    ["makePayment", "requestPayment", "issuePayable", "requestWithdrawal", "topUpByCard", "assignCredit"].map((rpc) => [
      rpc,
      usual(rpc),
    ]),
  ),
  createHold: usual("createHold"),
  confirmHold: usual("confirmHold"),
  releaseHold: async (wallet, { owner, friend, usd, theirs }) => {
    const requested = { idempotencyKey: randomUUID(), accountId: usd, payeeAccountId: theirs, amount: "5", password };
    const { hold } = await wallet.gateway.createHold(requested, wallet.calls(owner));
    return { rpc: "releaseHold", client: wallet.gateway, draft: { holdId: hold?.holdId }, by: friend };
  },
  ...Object.fromEntries(
    ["quoteExchange", "executeExchange", "refundPayment", "openTill", "moveVaultCash", "countTill", "cashIn"].map(
      (rpc) => [rpc, usual(rpc)],
    ),
  ),
  "cashIn that a manager approves": (wallet, { cashier, tillId, usd }) => {
    const draft = { tillId, accountId: usd, amount: "10000.01" };
    return { rpc: "cashIn", client: wallet.gateway, draft, by: cashier };
  },
  cashOut: usual("cashOut"),
  closeTill: usual("closeTill"),
};

// A one-time code that the first of two has used is wrong for the second, where no lock keeps them
// apart.
const needsTheLock = ["cashOut"];

describe.each([
  ["with Redis", undefined],
  ["without Redis", "redis://127.0.0.1:1"],
])("two equal requests at once, %s,", (_name, redisUrl) => {
  let wallet: WalletFixture;
  let scene: WalletScene;
  beforeAll(async () => {
    wallet = await createWalletFixture("wallet_equal", redisUrl === undefined ? {} : { redisUrl });
    scene = await createWalletScene(wallet);
  });
  afterAll(() => wallet.close());

  /** As a client does: the one that is told that the other still runs asks again. */
  async function insist({ rpc, client, by }: Sender, request: Draft): Promise<unknown> {
    const rpcs = client as unknown as Record<string, (request: Draft, as: object) => Promise<unknown>>;
    for (;;) {
      try {
        return await rpcs[rpc]!(request, wallet.calls(by));
      } catch (error) {
        const { code, message } = error as { code: string; message: string };
        if (code !== "IDEMPOTENCY_IN_FLIGHT") return { code, message };
      }
    }
  }

  const cases = Object.keys(prepared).filter((rpc) => redisUrl === undefined || !needsTheLock.includes(rpc));
  test.each(cases)("%s: one effect and one answer", async (which) => {
    const sender = await prepared[which]!(wallet, scene);
    const request = { idempotencyKey: randomUUID(), ...sender.draft };
    const [first, second] = await Promise.all([insist(sender, request), insist(sender, request)]);
    // A card that is refused is an answer too.
    if (sender.rpc !== "topUpByCard") expect(first).not.toMatchObject({ code: expect.any(String) });
    expect(second).toEqual(first);
    expect(await insist(sender, request)).toEqual(first);
  });
});
