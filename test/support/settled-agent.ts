import { randomUUID } from "node:crypto";
import { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import type { NewAgentLine } from "../../services/wallet/domain/agent-line.js";
import { agentAccount } from "../../services/wallet/domain/agent-accounts.js";
import { suspense } from "../../services/wallet/domain/transfers.js";
import { createWalletStore } from "../../services/wallet/store/index.js";
import { testDatabase, waitFor } from "./index.js";
import { move, startPayoutLedger } from "./payout-ledger.js";
import { on } from "./remittance-calls.js";
import { createWalletFixture, type Person, type WalletFixture } from "./wallet-fixture.js";

const dayMs = 86_400_000;
export const currency = "USD";

/** The wallet over a ledger for real, whose business day can be moved on. */
export async function createSettledAgents(name: string, options: { recoverAfterMs?: number } = {}) {
  const database = await testDatabase(`${name}_l`);
  let ledger: Awaited<ReturnType<typeof startPayoutLedger>> | undefined;
  const wallet = await createWalletFixture(name, {
    ...options,
    async startLedger(network, identityAddress) {
      ledger = await startPayoutLedger(network, database, identityAddress, { identityCacheMs: 1 });
      return `127.0.0.1:${ledger.port}`;
    },
  });
  const books = ledger!;
  const remittance = wallet.network.client(LedgerServiceDefinition, "ledger", books.port, "remittance");
  const store = createWalletStore(wallet.database.db);
  const { today } = wallet.identity;

  return {
    ...wallet,
    books: { ...books, database: database.db, asRemittance: remittance },
    today,
    /** The days from now on are later ones. */
    nextDay(): string {
      wallet.identity.state.offsetMs += dayMs;
      return today();
    },

    /** An agent with a configuration, and two managers. */
    async agent(mode: "TILL" | "ACCOUNT" = "TILL") {
      const manager = wallet.person(undefined, "MANAGER");
      const { tenantId } = manager;
      const agent = wallet.person(tenantId, "AGENT");
      const agentId = agent.userId;
      const own = store.forTenant(tenantId);
      const by = (person: Person = manager) => wallet.calls(person);
      const asked = { idempotencyKey: randomUUID(), agentId, mode, terms: [{ currency }], reason: "Signed" };
      await wallet.decide((await wallet.gateway.putAgentConfiguration(asked, by())).approvalId);
      const elsewhere = suspense(currency);
      const accounts = (["ACCOUNT", "UNSETTLED", "COMMISSION"] as const).map((of) =>
        agentAccount(of, { agentId, currency }),
      );
      await books.books.createAccounts({ accounts: [elsewhere, ...accounts] }, on(tenantId));
      const remittances = ["remittance_clearing", "fee_income", "tax_payable"].map((code) => {
        return { accountId: `${code}:${currency}`, code, currency, name: code };
      });
      await remittance.createAccounts({ accounts: remittances }, on(tenantId));

      const keep = (lines: readonly NewAgentLine[]) =>
        store.transaction(
          async (session) => own.insertAgentLines(lines, session),
          async () => undefined,
        );
      /** As a movement leaves it that has ended: the ledger has it, then its line is there. */
      const moved = async (
        kind: NewAgentLine["kind"],
        account: NewAgentLine["account"],
        amountMinor: bigint,
        part: { isKept?: boolean } = {},
      ) => {
        const lineId = `${kind.toLowerCase()}:${randomUUID()}`;
        const line: NewAgentLine = {
          lineId,
          agentId,
          currency,
          kind,
          account,
          amountMinor,
          businessDay: today(),
          at: new Date(),
          transactionCode: `MNL-${lineId.slice(-4)}`,
        };
        const { accountId } = agentAccount(account, { agentId, currency });
        const [from, to] = amountMinor > 0n ? [elsewhere.accountId, accountId] : [accountId, elsewhere.accountId];
        const minor = amountMinor > 0n ? amountMinor : -amountMinor;
        await books.post(tenantId, [move(lineId, from, to, minor, currency, "agent")]);
        if (part.isKept !== false) await keep([line]);
        return line;
      };

      return {
        tenantId,
        agent,
        agentId,
        manager,
        by,
        own,
        keep,
        moved,
        open: (from: string, to: string, part: object = {}) =>
          wallet.gateway
            .openAgentSettlement({ idempotencyKey: randomUUID(), agentId, currency, from, to, ...part }, by())
            .then(({ settlement }) => settlement!),
        read: (settlementId: string, person: Person = manager) =>
          wallet.gateway.getAgentSettlement({ settlementId }, by(person)).then(({ settlement }) => settlement!),
        closeNow: (settlementId: string) =>
          wallet.gateway.closeAgentSettlement({ idempotencyKey: randomUUID(), settlementId }, by()),
        /** Once the wallet has heard that its days are over. */
        close: (settlementId: string) =>
          waitFor(
            () =>
              wallet.gateway
                .closeAgentSettlement({ idempotencyKey: randomUUID(), settlementId }, by())
                .catch((error: Error) => {
                  if (error.message.startsWith("its days are not over")) return undefined;
                  throw error;
                }),
            { timeoutMs: 15_000, what: "the days of the settlement to be over" },
          ),
        async until(settlementId: string, status: string) {
          return waitFor(
            async () => {
              const { settlement } = await wallet.gateway.getAgentSettlement({ settlementId }, by());
              return settlement?.status === status ? settlement : undefined;
            },
            { timeoutMs: 15_000, what: `the settlement to be ${status}` },
          );
        },
        async approve(settlementId: string) {
          const ask = { idempotencyKey: randomUUID(), settlementId, reason: "As counted" };
          const { approvalId } = await wallet.gateway.approveAgentSettlement(ask, by());
          await wallet.decide(approvalId);
        },
        async pay(settlementId: string, bankAmount: string) {
          const ask = { idempotencyKey: randomUUID(), settlementId, bankAmount, reference: "W-1", reason: "Wired" };
          const { approvalId } = await wallet.gateway.payAgentSettlement(ask, by());
          await wallet.decide(approvalId);
        },
        async balances() {
          const of = (account: NewAgentLine["account"]) =>
            books.balance(tenantId, agentAccount(account, { agentId, currency }).accountId);
          return [await of("ACCOUNT"), await of("UNSETTLED"), await of("COMMISSION")];
        },
        /** All lines of the agent, added up. */
        async sums() {
          const lines = await own.listAgentLines({ agentId, currency }, undefined, 10_000);
          const of = (account: NewAgentLine["account"]) =>
            lines.reduce((sum, line) => (line.account === account ? sum + line.amountMinor : sum), 0n);
          return [of("ACCOUNT"), of("UNSETTLED"), of("COMMISSION")];
        },
      };
    },

    async closeAll() {
      await wallet.close();
      await books.stop();
      await database.close();
    },
  };
}

export type SettledAgents = Awaited<ReturnType<typeof createSettledAgents>>;
export type { WalletFixture };
