import { randomUUID } from "node:crypto";
import { isAboutPayee, payeeAnswerShape, payeeChecksPath, type PayeeResult } from "../plugins/payee-contract.js";
import type { Check } from "./order-checks.js";
import { expectStatus, expectThat, faultOf, newReference, CheckFailed, type TestPartner } from "./test-partner.js";

interface Forced {
  result?: PayeeResult;
  accountName?: string;
}

/** A payee who is made up, at an account that is nobody's. */
const madeUp = (forced: Forced, name = "Ngozi Okafor") => ({
  checkReference: newReference(),
  account: { bankaccountno: "3001234567", bankcode: "011", country: "NGA", currency: "NGN" },
  name,
  kind: "PERSON",
  forced,
});

const byPhone = { mobileoperator: "M-PESA", mobilenumber: "+254712345678", country: "KEN", currency: "KES" };

/** What who knows payees must do, by name. Only payees who are made up are asked about. */
export const payeeChecks: readonly Check[] = [
  {
    name: "an answer repeats the reference and the account",
    async run(partner) {
      await checked(partner, madeUp({ result: "MTCH" }));
    },
  },
  {
    name: "another key is refused",
    async run(partner) {
      const apiKey = `not-${randomUUID()}`;
      const answer = await partner.ask("POST", payeeChecksPath, { body: madeUp({ result: "MTCH" }), apiKey });
      expectStatus(answer, [401], "a request with another key");
    },
  },
  {
    name: "the same reference twice is answered the same",
    async run(partner) {
      const payee = madeUp({ result: "CMTC", accountName: "Ngozi Okafor-Bello" });
      const [first, second] = [await checked(partner, payee), await checked(partner, payee)];
      const isSame = first.result === second.result && first.accountName === second.accountName;
      expectThat(isSame, `it was ${first.result}, then ${second.result}`);
    },
  },
  {
    name: "unknown fields are ignored",
    async run(partner) {
      await checked(partner, { ...madeUp({ result: "MTCH" }), somethingNew: { is: ["here"] } });
    },
  },
  {
    name: "a number of mobile money is an account",
    async run(partner) {
      await checked(partner, { ...madeUp({ result: "MTCH" }), account: byPhone });
    },
  },
  forcedCheck("MTCH"),
  forcedCheck("CMTC", "Ngozi Okafor-Bello"),
  forcedCheck("NMTC"),
  forcedCheck("NOAP"),
  {
    name: "the name on the account is told to a close match alone",
    async run(partner) {
      const { result, accountName } = await checked(partner, madeUp({ accountName: "Chidi Eze" }));
      expectThat(result === "NMTC", `of Chidi Eze's account somebody else is ${result} and not NMTC`);
      expectThat(accountName === undefined, "it says whose account it is");
    },
  },
  sameCheck("capitals make no difference", "NGOZI OKAFOR"),
  sameCheck("spaces make no difference", " Ngozi  Okafor "),
];

function forcedCheck(result: PayeeResult, accountName?: string): Check {
  return {
    name: `one that is to be ${result} is`,
    async run(partner) {
      const seen = await checked(partner, madeUp({ result, ...(accountName !== undefined && { accountName }) }));
      expectThat(seen.result === result, `it is ${seen.result} and not ${result}`);
      expectThat(seen.accountName === accountName, `the name on the account is ${String(seen.accountName)}`);
    },
  };
}

function sameCheck(name: string, accountName: string): Check {
  return {
    name,
    async run(partner) {
      const { result } = await checked(partner, madeUp({ accountName }));
      expectThat(result === "MTCH" || result === "CMTC", `it is ${result} and not MTCH`);
    },
  };
}

interface Requested {
  checkReference: string;
  account: Readonly<Record<string, string>>;
}

async function checked(partner: TestPartner, body: Requested & Readonly<Record<string, unknown>>) {
  const answer = expectStatus(await partner.ask("POST", payeeChecksPath, { body }), [200], "a check");
  const read = payeeAnswerShape.safeParse(answer.body);
  if (!read.success) throw new CheckFailed(`an answer: ${faultOf(read.error)}`);
  expectThat(isAboutPayee(answer.body, body), "it repeats another checkReference or account");
  return read.data;
}
