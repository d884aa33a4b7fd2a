import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { certifiedKinds, type CertifiedKind } from "../../services/platform/certification/index.js";
import type { PayoutContract } from "../../services/platform/plugins/payout-version.js";
import { asksForHelp, misuseText, outliveReaders } from "../cli/help.js";
import { dataDirOf, readClusterFile } from "../local/cluster-file.js";
import { behaviourNames, type BehaviourName } from "./behaviours.js";
import { printCertification } from "./certification.js";

const usage = `npm run partner -- force BEHAVIOUR [--reference ID | --tenant ID] [--times N] [--settle MS] [--delay MS] [--reason TEXT] [--kept AMOUNT]
npm run partner -- rules                                   what is forced at this moment
npm run partner -- clear [--tenant ID]                     back to good behaviour
npm run partner -- return --tenant ID --reference ID [--kept AMOUNT]
                                                           a bank sends a paid payout back, less what it keeps
npm run partner -- show --tenant ID --reference ID         a payout as the partner has it
npm run partner -- credit --tenant ID --collection wallet|lending --reference TEXT --amount DECIMAL --currency CODE --sender NAME
                                                           a bank transfer arrives
npm run partner -- bvn NUMBER --first NAME --last NAME [--born YYYY-MM-DD]
                                                           whose a bank verification number is
npm run partner -- card TOKEN|none --tenant ID [--customer ID]
                                                           the card that a customer has stored, or everybody who has none
npm run partner -- payee NUMBER --tenant ID --name NAME     whose an account or a mobile number is, to payee checks
npm run partner -- statement --tenant ID                   what it has paid, and what came back
npm run partner -- certify [--kind payout|bank|card|payee-check] [--contract 1|2] [--url URL --key KEY] [--account NAME] [--secret whsec_…]
                                                           whether a partner does as docs/plugins.md says, a line a check: a payout connector
                                                           where no kind is named, this cluster's partner where no URL is; callbacks of payouts
                                                           are checked with --secret; contract 2 says who pays and who is paid
npm run partner -- webhooks RECEIVER [--secret whsec_…]    what its receiver of webhooks took (http://PARTNER/webhooks/RECEIVER); with
                                                           --secret, what it verifies by from now on

  BEHAVIOUR: ${behaviourNames.join(", ")}
  A reference is a transaction's id. A rule without --reference and --tenant holds for everybody; the narrowest one wins. Rules live
  until they are cleared, also when the partner is started again.`;

/** Forces outcomes at the sandbox partner of the cluster that runs on DATA_DIR. */
async function main(args: readonly string[]): Promise<void> {
  if (asksForHelp(args)) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      reference: { type: "string" },
      tenant: { type: "string" },
      times: { type: "string" },
      settle: { type: "string" },
      delay: { type: "string" },
      reason: { type: "string" },
      kept: { type: "string" },
      collection: { type: "string" },
      amount: { type: "string" },
      currency: { type: "string" },
      sender: { type: "string" },
      first: { type: "string" },
      last: { type: "string" },
      born: { type: "string" },
      name: { type: "string" },
      customer: { type: "string" },
      secret: { type: "string" },
      url: { type: "string" },
      key: { type: "string" },
      account: { type: "string" },
      kind: { type: "string" },
      contract: { type: "string" },
    },
  });
  const [command, behaviour] = positionals;
  const { reference, tenant, reason, kept } = values;
  switch (command) {
    case "force":
      return show(
        await send("POST", "/control/rules", {
          behaviour: behaviourOf(behaviour),
          ...(reference !== undefined && { reference }),
          ...(tenant !== undefined && { account: tenant }),
          ...(values.times !== undefined && { times: Number(values.times) }),
          ...(values.settle !== undefined && { settleMs: Number(values.settle) }),
          ...(values.delay !== undefined && { delayMs: Number(values.delay) }),
          ...(reason !== undefined && { reason }),
          ...(kept !== undefined && { kept }),
        }),
      );
    case "rules":
      return show(await send("GET", "/control/rules"));
    case "clear":
      return show(await send("DELETE", `/control/rules${tenant === undefined ? "" : `?account=${tenant}`}`));
    case "return":
      return show(
        await send("POST", `/control/payouts/${named(tenant, "--tenant")}/${named(reference, "--reference")}/return`, {
          ...(kept !== undefined && { kept }),
        }),
      );
    case "credit":
      return show(
        await send("POST", "/control/bank/credits", {
          account: tenant,
          collection: values.collection ?? "wallet",
          reference,
          amount: values.amount,
          currency: values.currency,
          senderName: values.sender ?? "Somebody",
        }),
      );
    case "bvn":
      return show(
        await send("POST", "/control/bank/bvns", {
          bvn: behaviour,
          firstName: values.first,
          lastName: values.last,
          ...(values.born !== undefined && { dateOfBirth: values.born }),
        }),
      );
    case "card":
      if (behaviour === undefined) throw new Misused("name the card's token, or none");
      return show(
        await send("POST", "/control/bank/cards", {
          account: tenant,
          customer: values.customer ?? "",
          cardToken: behaviour === "none" ? "" : behaviour,
        }),
      );
    case "payee":
      return show(
        await send("POST", "/control/payees", { account: tenant, accountNumber: behaviour, accountName: values.name }),
      );
    case "show":
      return show(
        await send("GET", `/v1/payouts/${named(reference, "--reference")}`, undefined, named(tenant, "--tenant")),
      );
    case "statement":
      return show(await send("GET", "/v1/statement", undefined, named(tenant, "--tenant")));
    case "certify":
      return printCertification({
        ...(values.url === undefined ? ownPartner() : targetOf(values)),
        kind: kindOf(values.kind),
        ...(values.contract !== undefined && { contract: contractOf(values.contract) }),
      });
    case "webhooks": {
      const path = `/control/webhooks/${named(behaviour, "the receiver's name")}`;
      if (values.secret !== undefined) return show(await send("PUT", path, { secret: values.secret }));
      return show(await send("GET", path));
    }
    default:
      throw new Misused(command === undefined ? "name a command" : `there is no command ${command}`);
  }
}

class Misused extends Error {}

function kindOf(text = "payout"): CertifiedKind {
  const found = certifiedKinds.find((kind) => kind === text.toUpperCase().replace("-", "_"));
  if (found === undefined) throw new Misused("--kind is payout, bank, card or payee-check");
  return found;
}

function contractOf(text: string): PayoutContract {
  if (text !== "1" && text !== "2") throw new Misused("--contract is 1 or 2");
  return text === "1" ? 1 : 2;
}

function targetOf({ url, key, account, secret }: Partial<Record<"url" | "key" | "account" | "secret", string>>) {
  if (url === undefined || !URL.canParse(url)) throw new Misused("--url is the connector's base URL");
  if (key === undefined) throw new Misused("--key is required: what the connector knows us by");
  return { url, apiKey: key, account, secret };
}

function ownPartner() {
  const { address, file } = partnerOfCluster();
  const { apiKey, callbackSecret: secret } = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
  return { url: `http://${address}`, apiKey: apiKey ?? "", secret, contract: 2 as const };
}

function partnerOfCluster() {
  const { addresses, keys } = readClusterFile(dataDirOf());
  const address = addresses["partner"];
  if (address === undefined) throw new Error("this cluster has no partner");
  return { address, file: keys.partnerFile };
}

function behaviourOf(text: string | undefined): BehaviourName {
  const found = behaviourNames.find((name) => name === text?.toUpperCase());
  if (found === undefined) throw new Misused(`the partner does not know how to ${text ?? "do nothing"}`);
  return found;
}

function named(value: string | undefined, option: string): string {
  if (value === undefined) throw new Misused(`${option} is required`);
  return encodeURIComponent(value);
}

async function send(method: string, path: string, body?: object, account?: string): Promise<unknown> {
  const { address, file } = partnerOfCluster();
  const headers: Record<string, string> = {};
  if (account !== undefined) {
    const { apiKey } = JSON.parse(readFileSync(file, "utf8")) as { apiKey: string };
    Object.assign(headers, { authorization: `Bearer ${apiKey}`, "x-account": account });
  }
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await fetch(`http://${address}${path}`, init);
  const content = (await response.json()) as { error?: string };
  if (!response.ok) throw new Error(`the partner answered ${response.status}: ${content.error ?? ""}`);
  return content;
}

function show(content: unknown): void {
  process.stdout.write(`${JSON.stringify(content, null, 2)}\n`);
}

outliveReaders();
await main(process.argv.slice(2)).catch((error: unknown) => {
  const { message } = error as Error;
  const isMisuse = error instanceof Misused || (error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS") === true;
  console.error(isMisuse ? misuseText(error, usage) : message);
  process.exitCode = isMisuse ? 2 : 1;
});
