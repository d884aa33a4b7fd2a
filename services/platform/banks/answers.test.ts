import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { money } from "../../kernel/money.js";
import { createHttpBankConnector } from "./http-bank-connector.js";
import { createHttpCardConnector } from "./http-card-connector.js";
import { samplePartiesOf } from "../../../test/support/order-parties.js";

let server: Server;
let answer: object;
beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(200).end(JSON.stringify(answer)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const call = { tenantId: "demo", at: undefined };
const amount = money(10_00n, "NGN");
const account = { bankCode: "058", accountNumber: "3001234567", accountHolderName: "Ngozi Okafor" };
const { originator, beneficiary } = samplePartiesOf("r1");
const parties = { originator, beneficiary };
const options = () => ({
  accessOf: () => ({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: "the-key" }),
  breaker: { failures: 1_000 },
});
const bank = () => createHttpBankConnector({ ...options(), collection: "wallet" });
const card = () => createHttpCardConnector(options());

test.each<[string, () => Promise<unknown>, object, object, unknown]>([
  [
    "a transfer",
    () => bank().transfer({ reference: "r-1", amount, to: account, narration: "", parties }, call),
    { reference: "r-1" },
    { status: "PAID" },
    { status: "PAID", reason: "" },
  ],
  [
    "a look at a transfer",
    () => bank().findTransfer("r-1", call),
    { reference: "r-1" },
    { status: "REFUSED", reason: "closed" },
    { status: "REFUSED", reason: "closed" },
  ],
  [
    "an account check",
    () => bank().checkAccount("r-1", { ...account, country: "NGA", currency: "NGN" }, call),
    { reference: "r-1" },
    { verified: true, bankName: "A bank", accountHolderName: "Ngozi Okafor" },
    { isVerified: true, bankName: "A bank", accountHolderName: "Ngozi Okafor", reason: "" },
  ],
  [
    "a look-up of a number",
    () => bank().lookUpBvn("r-1", { bvn: "22212345678", country: "NGA" }, call),
    { reference: "r-1" },
    { found: false },
    undefined,
  ],
  [
    "what arrived",
    () => bank().credits("", call),
    { collection: "wallet" },
    { credits: [], nextCursor: "7" },
    { credits: [], unreadable: [], nextCursor: "7" },
  ],
  [
    "a charge",
    () => card().charge("r-1", "tok_ok", amount, call),
    { reference: "r-1" },
    { status: "CAPTURED" },
    { status: "CAPTURED", reason: "" },
  ],
  [
    "a look at a charge",
    () => card().findCharge("r-1", call),
    { reference: "r-1" },
    { status: "REFUSED" },
    { status: "REFUSED", reason: "" },
  ],
  ["a stored card", () => card().storedCard("c-1", call), { customerId: "c-1" }, { cardToken: "tok_ok" }, "tok_ok"],
])("%s: an answer about something else is no answer", async (_name, ask, own, stated, expected) => {
  answer = { ...own, ...stated };
  expect(await ask()).toEqual(expected);
  const [field] = Object.keys(own);
  for (const other of [{ [field!]: "another" }, {}]) {
    answer = { ...other, ...stated };
    await expect(ask()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  }
});
