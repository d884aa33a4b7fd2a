import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { first, readElements, textAt, type XmlElement } from "../../services/remittance/clients/bank-files/xml.js";

export const ourIban = "DE89370400440532013000";

/** Of a bank that takes files, with a tenant's account. */
export const bankConfiguration = {
  debtorName: "Acme Remittance Ltd",
  debtorCity: "Berlin",
  debtorCountry: "DEU",
  debtorPostalCode: "10117",
  debtorAddressLine: "Unter den Linden 1",
  debtorIban: ourIban,
  bic: "COBADEFFXXX",
  serviceLevel: "SEPA",
};

/** A bank that takes files, as its owner resolves it. */
export const bankInstallation = (installationId: string) => ({
  installationId,
  type: "iso20022",
  status: "ENABLED",
  configuration: bankConfiguration,
  secrets: {},
  name: "Ours",
  missingSecrets: [],
  routes: [],
  revision: 1,
});

export interface TakenTransfer {
  endToEndId: string;
  amount: string;
  currency: string;
  name: string;
  account: string;
}

export interface TakenFile {
  name: string;
  text: string;
  messageId: string;
  transfers: TakenTransfer[];
}

export interface SaidStatus {
  endToEndId: string;
  status: string;
  reason?: string;
}

export interface SaidEntry {
  endToEndId?: string;
  amount: string;
  currency: string;
  kind: "DEBIT" | "RETURN";
  reason?: string;
  /** Of a batch that is one entry. */
  messageId?: string;
  reference?: string;
  /** What its one detail says beside the entry's amount. */
  txAmount?: string;
  txCurrency?: string;
  /** In place of one detail. */
  details?: readonly SaidDetail[];
}

/** A transaction of an entry. */
export interface SaidDetail {
  endToEndId?: string;
  amount: string;
  txAmount?: string;
  txCurrency?: string;
}

export type FileBank = ReturnType<typeof createFileBank>;

/**
 * A directory as an operator mounts it, with a bank at the other end of each installation's folder.
 */
export async function startFileBanks() {
  const root = await mkdtemp(join(tmpdir(), "bank-files-"));
  return {
    root,
    of: (installationId: string) => createFileBank(join(root, installationId)),
    /** Runs something while only the mount point is there. */
    async unmounted<T>(work: () => Promise<T>): Promise<T> {
      const away = `${root}-away`;
      await rename(root, away);
      await mkdir(root);
      try {
        return await work();
      } finally {
        await rm(root, { recursive: true });
        await rename(away, root);
      }
    },
    stop: () => rm(root, { recursive: true, force: true }),
  };
}

function createFileBank(folder: string) {
  let made = 0;
  const at = (...names: string[]) => join(folder, ...names);
  const list = async (name: string) => (await readdir(at(name)).catch(() => [])).toSorted();

  async function put(text: string | Buffer, name = `bank-${(made += 1)}.xml`): Promise<string> {
    await writeFile(at("in", `.${name}`), text);
    await rename(at("in", `.${name}`), at("in", name));
    return name;
  }

  return {
    at,
    list,
    put,
    /** Takes what was handed over away, as banks do. */
    async take(): Promise<TakenFile[]> {
      const taken: TakenFile[] = [];
      for (const name of await list("out")) {
        const text = await readFile(at("out", name), "utf8");
        await rm(at("out", name));
        taken.push({ name, text, ...(await takenOf(text)) });
      }
      return taken;
    },
    report: (messageId: string, said: readonly SaidStatus[], more: SaidOfAll & { id?: string } = {}) =>
      put(statusReport(messageId, said, { id: `P${(made += 1)}`, ...more })),
    statement: (entries: readonly SaidEntry[], more: { iban?: string; id?: string } = {}) =>
      put(statement(entries, { id: `S${(made += 1)}`, ...more })),
  };
}

async function takenOf(text: string): Promise<Pick<TakenFile, "messageId" | "transfers">> {
  const transfers: TakenTransfer[] = [];
  let messageId = "";
  const header = "CstmrCdtTrfInitn/GrpHdr";
  const transfer = "CstmrCdtTrfInitn/PmtInf/CdtTrfTxInf";
  await readElements(text, new Set([header, transfer]), (path, found) => {
    if (path === header) messageId = textAt(found, "MsgId");
    else transfers.push(transferOf(found));
  });
  return { messageId, transfers };
}

function transferOf(found: XmlElement): TakenTransfer {
  return {
    endToEndId: textAt(found, "PmtId/EndToEndId"),
    amount: textAt(found, "Amt/InstdAmt"),
    currency: first(found, "Amt/InstdAmt")?.attributes["Ccy"] ?? "",
    name: textAt(found, "Cdtr/Nm"),
    account: textAt(found, "CdtrAcct/Id/IBAN") || textAt(found, "CdtrAcct/Id/Othr/Id"),
  };
}

/** What a status report says of a message as a whole. */
interface SaidOfAll {
  group?: string;
  payment?: string;
  /** Of either. */
  reason?: string;
  version?: string;
}

/** A pain.002 about a message of ours. */
export function statusReport(
  messageId: string,
  said: readonly SaidStatus[],
  { group, payment: whole, reason: why, version = "10", id }: SaidOfAll & { id: string },
): string {
  const reason = (code?: string) => (code === undefined ? "" : `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn></StsRsnInf>`);
  const transactions = said.map(
    ({ endToEndId, status, reason: code }) =>
      `<TxInfAndSts><OrgnlEndToEndId>${endToEndId}</OrgnlEndToEndId><TxSts>${status}</TxSts>${reason(code)}</TxInfAndSts>`,
  );
  const wholeStatus = whole === undefined ? "" : `<PmtInfSts>${whole}</PmtInfSts>${reason(why)}`;
  const payment =
    said.length === 0 && whole === undefined
      ? ""
      : `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${messageId}</OrgnlPmtInfId>${wholeStatus}${transactions.join("")}</OrgnlPmtInfAndSts>`;
  const groupStatus = group === undefined ? "" : `<GrpSts>${group}</GrpSts>${reason(why)}`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.${version}"><CstmrPmtStsRpt>
<GrpHdr><MsgId>${id}</MsgId><CreDtTm>2026-11-24T12:00:00Z</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>${groupStatus}</OrgnlGrpInfAndSts>
${payment}</CstmrPmtStsRpt></Document>`;
}

/** A camt.053 with these entries, in prefixed names as Java's tools write them. */
export function statement(
  entries: readonly SaidEntry[],
  { iban = ourIban, id }: { iban?: string; id: string },
): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<c:Document xmlns:c="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><c:BkToCstmrStmt>
<c:GrpHdr><c:MsgId>${id}</c:MsgId><c:CreDtTm>2026-11-24T12:00:00Z</c:CreDtTm></c:GrpHdr>
<c:Stmt><c:Id>${id}</c:Id><c:Acct><c:Id><c:IBAN>${iban}</c:IBAN></c:Id></c:Acct>
<c:Bal><c:Tp><c:CdOrPrtry><c:Cd>CLBD</c:Cd></c:CdOrPrtry></c:Tp><c:Amt Ccy="EUR">0</c:Amt><c:CdtDbtInd>CRDT</c:CdtDbtInd><c:Dt><c:Dt>2026-11-24</c:Dt></c:Dt></c:Bal>
${entries.map(entryOf).join("\n")}
</c:Stmt></c:BkToCstmrStmt></c:Document>`;
}

function entryOf(entry: SaidEntry, index: number): string {
  const { currency, kind, reason, messageId, reference, details = [entry] } = entry;
  const side = `<c:CdtDbtInd>${kind === "DEBIT" ? "DBIT" : "CRDT"}</c:CdtDbtInd>`;
  const amountOf = (text: string, of = currency) => `<c:Amt Ccy="${of}">${text}</c:Amt>`;
  const returned = kind === "RETURN" ? `<c:RtrInf><c:Rsn><c:Cd>${reason ?? "AC04"}</c:Cd></c:Rsn></c:RtrInf>` : "";
  const transactions = details.map(({ endToEndId, amount, txAmount, txCurrency }) => {
    const own =
      txAmount === undefined ? "" : `<c:AmtDtls><c:TxAmt>${amountOf(txAmount, txCurrency)}</c:TxAmt></c:AmtDtls>`;
    const money = txAmount === undefined ? `${amountOf(amount)}${side}` : own;
    return `<c:TxDtls><c:Refs><c:EndToEndId>${endToEndId}</c:EndToEndId></c:Refs>${money}${returned}</c:TxDtls>`;
  });
  const said =
    messageId === undefined ? transactions.join("") : `<c:Btch><c:PmtInfId>${messageId}</c:PmtInfId></c:Btch>`;
  const own = reference === undefined ? "" : `<c:AcctSvcrRef>${reference}</c:AcctSvcrRef>`;
  return `<c:Ntry>${amountOf(entry.amount)}${side}<c:Sts><c:Cd>BOOK</c:Cd></c:Sts><c:BookgDt><c:Dt>2026-11-24</c:Dt></c:BookgDt>${own}<c:BkTxCd><c:Prtry><c:Cd>${index}</c:Cd></c:Prtry></c:BkTxCd><c:NtryDtls>${said}</c:NtryDtls></c:Ntry>`;
}
