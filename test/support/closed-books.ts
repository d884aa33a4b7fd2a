import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ApprovalOutcomeServiceDefinition } from "../../proto/gen/identity/v1/approvals.js";
import { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import { PackageServiceDefinition } from "../../proto/gen/ledger/v1/packages.js";
import { PeriodServiceDefinition } from "../../proto/gen/ledger/v1/periods.js";
import { chartCodes } from "../../services/ledger/domain/chart.js";
import type { GrpcDefinition } from "../../services/kernel/grpc/definition.js";
import type { stateUser } from "./service-network.js";
import { createLedgerFixture, tenantCalls, transfer } from "./ledger-fixture.js";
import { createFaults } from "./rpc-faults.js";
import { createStandInIdentity } from "./stand-in-identity.js";
import { waitFor } from "./index.js";

type User = Parameters<typeof stateUser>[0];
type Tenant = Omit<ReturnType<typeof tenantCalls>, "balance">;

/** A ledger whose clock a test moves, and a manager who closes books in it. */
export async function createClosedBooks(name: string, startsAt: string) {
  const fixture = await createLedgerFixture(name);
  const { network } = fixture;
  const identity = createStandInIdentity(createFaults());
  const clock = { at: Date.parse(startsAt), now: () => new Date(clock.at) };
  const address = await network.standIn("identity", IdentityServiceDefinition, identity.handlers);
  const startReplica = () => fixture.start({ IDENTITY_ADDRESS: address }, { clock, pollMs: 20 });
  const ledger = await startReplica();
  const client = <Def extends GrpcDefinition>(definition: Def, as: "gateway" | "identity" = "gateway") =>
    network.client(definition, "ledger", ledger.port, as);
  const periods = client(PeriodServiceDefinition);
  const packages = client(PackageServiceDefinition);
  const outcomes = client(ApprovalOutcomeServiceDefinition, "identity");
  const folders: string[] = [];

  const manager = (tenantId: string): User => ({ userId: "manager-1", role: "MANAGER", tenantId });
  const as = (tenant: Tenant) => tenant.call({ user: manager(tenant.tenantId) });

  const books = {
    fixture,
    identity,
    clock,
    ledger,
    periods,
    packages,
    outcomes,
    as,
    client,

    /** An own chart of accounts with names that a table has to quote. */
    async putMapping(tenant: Tenant): Promise<void> {
      const names = ['Caisse, "d’été"', "=1+1", "-1", "'=2", "@ नकद", "-"];
      const codes = chartCodes().map(({ code }, index) => {
        return { code, account: `${names[index % names.length]!} ${index}`, name: names[(index + 1) % names.length]! };
      });
      await packages.putChartMapping({ codes, idempotencyKey: randomUUID() }, as(tenant));
    },

    close: async (tenant: Tenant, period: string, blockers: { service: string; kind: string; count: number }[] = []) =>
      (await periods.closeBooks({ period, idempotencyKey: randomUUID(), blockers }, as(tenant))).closing!,

    /** The closing, once its package is built. */
    built: (tenant: Tenant, number: number) =>
      waitFor(async () => {
        const { closing } = await periods.getClosing({ number }, as(tenant));
        return closing!.packageStatus === "PACKAGE_STATUS_DONE" ? closing : undefined;
      }),

    /** A replica beside the first, which was never asked anything; whoever starts it stops it. */
    async startAnother() {
      const another = await startReplica();
      return {
        ledger: another,
        packages: network.client(PackageServiceDefinition, "ledger", another.port, "gateway"),
      };
    },

    async read(tenant: Tenant, number: number, file: string, from = packages): Promise<string> {
      let cursor = "";
      let all = "";
      do {
        const page = await from.readPackageFile({ number, file, cursor }, as(tenant));
        all += Buffer.from(page.content).toString();
        cursor = page.nextCursor;
      } while (cursor !== "");
      return all;
    },

    /** As the ledger itself adds it up, through a day: "code currency" to debits less credits. */
    async trialBalance(tenant: Tenant, effectiveDate: string): Promise<Map<string, bigint>> {
      const { lines } = await ledger.as("gateway").getTrialBalance({ effectiveDate }, as(tenant));
      return new Map(
        lines.map(({ code, currency, debitsMinor, creditsMinor }) => {
          return [`${code} ${currency}`, BigInt(debitsMinor) - BigInt(creditsMinor)];
        }),
      );
    },

    /** A folder with all files of a package. */
    async download(tenant: Tenant, number: number): Promise<string> {
      const { files } = (await books.built(tenant, number))!;
      const folder = await mkdtemp(join(tmpdir(), "books-"));
      folders.push(folder);
      for (const { name: file } of files) await writeFile(join(folder, file), await books.read(tenant, number, file));
      return folder;
    },

    /** Some transfers of customers, with fees, some only reserved; each `key` begins theirs. */
    async move(tenant: Tenant, key: string, effectiveAt?: Date): Promise<void> {
      await tenant.open(ledger, ["w1", "w2"]);
      const fees = { accountId: "wallet_fee_income:USD", code: "wallet_fee_income", currency: "USD", name: "Fees" };
      await ledger.wallet.createAccounts({ accounts: [fees] }, tenant.call());
      const on = effectiveAt === undefined ? {} : { effectiveAt };
      const bank = "bank_settlement:USD";
      await tenant.post(ledger, transfer(`${key}:in`, bank, "w1", 100_00n, on));
      await tenant.post(
        ledger,
        transfer(`${key}:pay`, "w1", "w2", 25_00n, { description: 'Rent, "May"', ...on }),
        transfer(`${key}:fee`, "w1", fees.accountId, 1_50n, { kind: "fee", metadata: { rate: "6" }, ...on }),
      );
      await tenant.post(ledger, transfer(`${key}:hold`, "w1", "w2", 5_00n, { mode: "TRANSFER_MODE_PENDING" }));
    },

    async stop(): Promise<void> {
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
      await fixture.close();
    },
  };
  return books;
}

const run = promisify(execFile);

/** What the offline program says of a folder, and whether it passed. */
export async function verified(folder: string): Promise<{ isOk: boolean; said: string }> {
  try {
    const { stdout } = await run("python3", ["-I", "-B", "docs/verify/verify.py", folder]);
    return { isOk: true, said: stdout.trim() };
  } catch (error) {
    return { isOk: false, said: (error as { stdout: string; stderr: string }).stdout.trim() };
  }
}

/** What the offline program misses of so many random edits of a package. */
export async function missedEdits(folder: string, edits: number, seed: number): Promise<Record<string, unknown>> {
  const program = ["-I", "-B", "-W", "ignore", "test/support/edit_package.py", folder, String(edits), String(seed)];
  const { stdout } = await run("python3", program);
  return JSON.parse(stdout) as Record<string, unknown>;
}
