import { generateKeyPairSync } from "node:crypto";
import { memorySecrets } from "../../test/support/memory-secrets.js";
import { silentLog } from "../../test/support/index.js";
import { makeSecrets } from "./make-secrets.js";

const certificates = { wallet: "m-wallet-tls" };
const tls = { authority: "m-ca", certificates, trustDomain: "m.internal", days: 365, renewAfterDays: 90 };
const plan = { labels: {}, tls };
const pkcs8 = { type: "pkcs8", format: "pem" } as const;
const ecKey = (namedCurve: string) => generateKeyPairSync("ec", { namedCurve }).privateKey.export(pkcs8) as string;
const accepted = "accepted is an EC key on P-256 (prime256v1), as PKCS #8 or SEC1, in PEM form and without a password";
test.each([
  [
    "RSA",
    { "tls.key": generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey.export(pkcs8) as string },
    `tls.key is a key of the type rsa: ${accepted}`,
  ],
  ["P-384", { "tls.key": ecKey("P-384") }, `tls.key is an EC key on secp384r1: ${accepted}`],
  ["no key", { "tls.key": "SECRET" }, `tls.key cannot be read: ${accepted}`],
  ["another's key", { "tls.key": ecKey("P-256") }, "tls.key is not the key of its tls.crt"],
  [
    "no certificate",
    { "tls.crt": "none" },
    "tls.crt cannot be read: accepted is the authority's certificate in PEM form",
  ],
])("an authority that cannot sign (%s) is refused in a sentence that says what can", async (_what, entries, fault) => {
  const store = memorySecrets();
  await makeSecrets(plan, store, silentLog);
  const before = store.secrets.get("m-wallet-tls");
  await store.change((await store.get("m-ca"))!, entries);
  await expect(makeSecrets({ ...plan, tls: { ...tls, renewAfterDays: 0 } }, store, silentLog)).rejects.toThrow(
    new Error(`secret m-ca: ${fault}`),
  );
  expect(store.secrets.get("m-wallet-tls")).toBe(before);
});
