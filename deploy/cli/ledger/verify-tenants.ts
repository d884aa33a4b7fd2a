import { remoteJournal, type RemoteLedger } from "./journal.js";
import { verifyJournal, type Fault } from "./rules.js";

type VerifyOptions = NonNullable<Parameters<typeof verifyJournal>[1]>;

export interface VerifyTenants extends Pick<VerifyOptions, "onProgress"> {
  /** Every tenant that the ledger has, or a published head names, where empty. */
  tenants: readonly string[];
  published: NonNullable<VerifyOptions["published"]>;
  print: (line: string) => void;
}

/**
 * Verifies one journal after the other, so that what a run needs of memory does not grow with their
 * number; one that does not fit, or cannot be read, keeps none of the others from being verified.
 */
export async function verifyTenants(
  ledgerOf: (tenantId: string) => RemoteLedger,
  { tenants, published, onProgress, print }: VerifyTenants,
): Promise<{ verified: number; unfit: string[] }> {
  const known = tenants.length > 0 ? tenants : await journalsOf(ledgerOf(""), published);
  const unfit: string[] = [];
  for (const tenantId of known) {
    try {
      const { transfers, faults } = await verifyJournal(remoteJournal(ledgerOf(tenantId)), {
        published,
        ...(onProgress && { onProgress }),
      });
      if (faults.length === 0) {
        print(`${tenantId}: ${transfers} transfers, all fit`);
        continue;
      }
      print(`${tenantId}: ${transfers} transfers fit; what does not:`);
      for (const fault of faults) print(`  ${faultText(fault)}`);
    } catch (error) {
      print(`${tenantId}: could not be verified: ${(error as Error).message}`);
    }
    unfit.push(tenantId);
  }
  return { verified: known.length, unfit };
}

/** What was published and is not in the ledger any more is verified too, and found to be gone. */
async function journalsOf({ client, call }: RemoteLedger, published: VerifyTenants["published"]): Promise<string[]> {
  const found = new Set(published.map(({ tenantId }) => tenantId));
  for (let afterTenantId = ""; ;) {
    const { tenantIds } = await client.listJournals({ afterTenantId }, call());
    const last = tenantIds.at(-1);
    if (last === undefined) return [...found].sort();
    for (const tenantId of tenantIds) found.add(tenantId);
    afterTenantId = last;
  }
}

function faultText({ seq, key, accountId, what }: Fault): string {
  if (accountId !== undefined) return `account ${accountId}: ${what}`;
  if (seq !== undefined) return `transfer ${seq}${key === undefined ? "" : ` (${key})`}: ${what}`;
  return key === undefined ? what : `transfer ${key}: ${what}`;
}
