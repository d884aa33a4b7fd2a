import { isValidBIC, isValidIBAN } from "ibantools";
import { isCountry } from "../../../kernel/codes/countries.js";
import type { PluginCheck } from "../../../platform/plugins/test-runs.js";
import { Refusal } from "../../../kernel/refusal.js";
import type { PayoutOrder } from "../payout-connector.js";
import type { InboxOptions } from "./inbox.js";
import { unfitDebtor } from "./fit.js";
import { initiationKind, initiationOf } from "./initiation.js";
import { FileFault } from "./xml.js";

type Parts = Pick<
  InboxOptions,
  "tenantId" | "installationId" | "configuration" | "store" | "folders" | "validate" | "clock"
>;

interface Check {
  name: string;
  /** Throws what is wrong. */
  run: (parts: Parts) => Promise<void>;
}

const newest = 20;

// Characters that a schema or a bank could stumble over.
const sample: PayoutOrder = {
  reference: "0f8fad5b-d9cb-469f-a165-70867728950e",
  amount: { minor: 1_000n, currency: "EUR" },
  method: "ACCOUNTPAYMENT",
  creditParty: [
    { key: "accountholdername", value: "Žofie O'Brien & Söhne <Łódź>" },
    { key: "bankaccountno", value: "DE89 3704 0044 0532 0130 00" },
    { key: "swiftbic", value: "COBADEFFXXX" },
  ],
  parties: {
    originator: {
      kind: "PERSON",
      name: "Şirin Ðorđević",
      address: { lines: ["Straße 1", "Hof <2>"], postalCode: "10117", city: "Köln", country: "DEU" },
      dateOfBirth: "1990-04-12",
      placeOfBirth: { city: "Łódź", country: "POL" },
      uniqueId: "0f8fad5bd9cb469fa16570867728950e",
      customerCode: "C-1",
    },
    beneficiary: { name: "Jürgen & Töchter", country: "DEU", address: { lines: [], city: "Ulm", country: "DEU" } },
    sendAmount: "10.00",
    sendCurrency: "EUR",
    transactionCode: "SAMPLE",
    remittanceText: "For the roof, & more",
  },
};

const checks: readonly Check[] = [
  {
    name: "the account and the bank are named rightly",
    async run({ configuration }) {
      const { debtorIban, bic, timeZone, debtorCountry } = configuration;
      if (debtorIban !== undefined && !isValidIBAN(debtorIban))
        throw new FileFault("debtorIban: its check digits are wrong");
      if (bic !== undefined && !isValidBIC(bic)) throw new FileFault("bic: there is no such bank identifier");
      if (timeZone !== undefined && !isTimeZone(timeZone)) throw new FileFault("timeZone: there is no such time zone");
      if (!isCountry(debtorCountry)) throw new FileFault("debtorCountry: there is no such country");
      const debtor = unfitDebtor(configuration);
      if (debtor !== undefined) throw new FileFault(debtor);
    },
  },
  { name: "the folders can be read and written", run: ({ folders }) => folders.check() },
  {
    name: "a sample pain.001 is valid by its schema",
    // It is written nowhere: a live bank would take it for an order.
    async run({ configuration, validate, clock }) {
      const message = { messageId: "SAMPLE", createdAt: clock.now(), timeZone: "UTC" };
      const parties = sample.parties && { ...sample.parties, purpose: Object.keys(configuration.purposes)[0] };
      const text = initiationOf(configuration, message, [{ ...sample, ...(parties && { parties }) }]);
      await validate(initiationKind, text);
    },
  },
  {
    name: "the newest files of the bank could be read",
    async run({ tenantId, installationId, store }) {
      const files = await store.forTenant(tenantId).bankFiles.listFiles(installationId, newest);
      // What was put right and read since is no fault any more.
      const fault = files.find(({ fileName, state }, index) => {
        return state === "FAILED" && !files.slice(0, index).some((later) => later.fileName === fileName);
      });
      if (fault !== undefined) throw new FileFault(`${fault.fileName} ${fault.reason}`);
    },
  },
];

/** What must hold before a bank is handed files. Never throws. */
export async function checkBank(parts: Parts): Promise<PluginCheck[]> {
  const reports: PluginCheck[] = [];
  for (const { name, run } of checks) {
    const startedAt = performance.now();
    const fault = await run(parts).then(() => undefined, detailOf);
    const durationMs = Math.round(performance.now() - startedAt);
    reports.push({ name, result: fault === undefined ? "PASSED" : "FAILED", detail: fault ?? "", durationMs });
  }
  return reports;
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

function detailOf(error: unknown): string {
  const isExplained = error instanceof FileFault || error instanceof Refusal;
  return isExplained ? error.message : `the check itself failed: ${(error as Error).name}`;
}
