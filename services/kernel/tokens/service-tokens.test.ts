import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SignJWT, UnsecuredJWT, importJWK, type JWK } from "jose";
import { makeServiceKeys } from "./make-service-keys.js";
import { createServiceTokenSigner, createServiceTokenVerifier, loadServiceKeys } from "./service-tokens.js";

const names = ["wallet", "ledger", "gateway"] as const;
let keys: Awaited<ReturnType<typeof makeServiceKeys<(typeof names)[number]>>>;
let clockMs: number;
const now = (): number => clockMs;
beforeAll(async () => void (keys = await makeServiceKeys(names)));
beforeEach(() => void (clockMs = Date.UTC(2026, 0, 2, 3, 4, 5)));
afterEach(() => jest.restoreAllMocks());

const walletSigner = () => createServiceTokenSigner({ service: "wallet", privateJwk: keys.private.wallet, now });
const ledgerVerifier = (jwks = keys.jwks) => createServiceTokenVerifier({ self: "ledger", jwks, now });
const badToken = expect.objectContaining({ name: "Refusal", code: "UNAUTHENTICATED" });

test("a token says who made it, for whom, and lives 60 s with 5 s of leeway", async () => {
  const token = await walletSigner().tokenFor("ledger");
  const verify = ledgerVerifier();
  await expect(verify(token)).resolves.toBe("wallet");
  clockMs += 64_999;
  await expect(verify(token)).resolves.toBe("wallet");
  clockMs += 1;
  await expect(verify(token)).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test.each([
  ["an hour behind", 3_600, "the clock of wallet is 3600 s behind that of the service that it calls"],
  ["6 s ahead", -6, "the clock of wallet is 6 s ahead of that of the service that it calls"],
])("a caller whose clock is %s is told of the clocks, and may come again", async (_what, behindS, message) => {
  const token = await walletSigner().tokenFor("ledger");
  clockMs += behindS * 1_000;
  await expect(ledgerVerifier()(token)).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message,
    caller: "wallet",
    behindS,
    details: { retryAfterS: 5 },
  });
  // Whoever did not sign learns nothing of it.
  const forged = `${token.slice(0, -8)}AAAAAAAA`;
  await expect(ledgerVerifier()(forged)).rejects.toEqual(badToken);
});

test("the signer makes one token per audience and half minute, however many ask at once", async () => {
  const signer = walletSigner();
  const sign = jest.spyOn(crypto.subtle, "sign");
  const tokens = await Promise.all(Array.from({ length: 20 }, () => signer.tokenFor("ledger")));
  expect(new Set(tokens).size).toBe(1);
  clockMs += 29_999;
  expect(await signer.tokenFor("ledger")).toBe(tokens[0]);
  expect(sign).toHaveBeenCalledTimes(1);
  clockMs += 1;
  expect(await signer.tokenFor("ledger")).not.toBe(tokens[0]);
  expect(await signer.tokenFor("gateway")).not.toBe(await signer.tokenFor("ledger"));
  expect(sign).toHaveBeenCalledTimes(3);
});

test("the verifier checks a signature once per token, not once per call", async () => {
  const token = await walletSigner().tokenFor("ledger");
  const verify = ledgerVerifier();
  const check = jest.spyOn(crypto.subtle, "verify");
  for (let index = 0; index < 10; index += 1) await verify(token);
  expect(check).toHaveBeenCalledTimes(1);
});

describe("401", () => {
  const iat = Math.floor(Date.UTC(2026, 0, 2, 3, 4, 5) / 1_000);
  const claims = { iss: "wallet", aud: "ledger", iat, exp: iat + 60 };
  const header = { alg: "EdDSA", kid: "wallet" };
  const signed = async (change: object, head: object = {}, by: JWK = keys.private.wallet) =>
    new SignJWT({ ...claims, ...change }).setProtectedHeader({ ...header, ...head }).sign(await importJWK(by, "EdDSA"));
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

  test("the same token unchanged is good", async () => {
    await expect(ledgerVerifier()(await signed({}))).resolves.toBe("wallet");
  });

  const forgeries: [string, () => string | Promise<string>][] = [
    ["no token", () => ""],
    ["something else", () => "abc"],
    ["three parts of nothing", () => ".."],
    ["a header that is no JSON", () => "!!.e30.AA"],
    ["a very long text", () => `${"a".repeat(100_000)}.e30.AA`],
    ["alg none", () => new UnsecuredJWT({ ...claims }).encode()],
    ["alg none that names a kid", () => `${part({ alg: "none", kid: "wallet" })}.${part(claims)}.`],
    [
      "HS256 keyed with the public key",
      () =>
        new SignJWT({ ...claims })
          .setProtectedHeader({ alg: "HS256", kid: "wallet" })
          .sign(Buffer.from(keys.jwks.keys[0]?.x ?? "", "base64url")),
    ],
    ["alg Ed25519, its other name", () => signed({}, { alg: "Ed25519" })],
    ["an unknown kid", () => signed({ iss: "lending" }, { kid: "lending" })],
    ["no kid", () => signed({}, { kid: undefined })],
    [
      "a key of its own in the header",
      () => signed({}, { kid: "wallet", jwk: keys.jwks.keys[2] }, keys.private.gateway),
    ],
    ["a foreign key under the kid", () => signed({}, {}, keys.private.gateway)],
    ["an issuer that is not the kid", () => signed({ iss: "gateway" })],
    ["no issuer", () => signed({ iss: undefined })],
    ["another audience", () => signed({ aud: "gateway" })],
    ["several audiences", () => signed({ aud: ["ledger", "gateway"] })],
    ["no expiry", () => signed({ exp: undefined })],
    ["an expiry that is no number", () => signed({ exp: "never" })],
    ["no time of issue", () => signed({ iat: undefined })],
    ["not before a time to come", () => signed({ nbf: iat + 6 })],
    ["a life of more than 60 s", () => signed({ exp: iat + 61 })],
    ["an extension that must be understood", () => `${part({ ...header, crit: ["exp"] })}.${part(claims)}.AA`],
    ["a changed claim", async () => (await signed({})).replace(/\.[^.]+\./, `.${part({ ...claims, aud: "x" })}.`)],
    ["claims that are no object", () => `${part(header)}.${Buffer.from("[1]").toString("base64url")}.AA`],
  ];
  test.each(forgeries)("%s", async (_, forge) => {
    const verify = ledgerVerifier();
    const token = await forge();
    await expect(verify(token)).rejects.toEqual(badToken);
    await expect(verify(token)).rejects.toEqual(badToken);
  });
});

test("during a rotation both keys of a service are good", async () => {
  const next = await makeServiceKeys(["wallet"]);
  const verify = ledgerVerifier({ keys: [...keys.jwks.keys, ...next.jwks.keys] });
  await expect(verify(await walletSigner().tokenFor("ledger"))).resolves.toBe("wallet");
  const nextSigner = createServiceTokenSigner({ service: "wallet", privateJwk: next.private.wallet, now });
  await expect(verify(await nextSigner.tokenFor("ledger"))).resolves.toBe("wallet");
});

describe("key files", () => {
  let folder: string;
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "manilla-keys-"))));
  afterAll(() => rm(folder, { recursive: true }));
  const write = async (name: string, content: unknown) => {
    const file = join(folder, name);
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
    return file;
  };

  test("hold what makeServiceKeys made", async () => {
    const keyFile = await write("wallet.jwk.json", keys.private.wallet);
    const jwksFile = await write("services.jwks.json", keys.jwks);
    const loaded = await loadServiceKeys({ keyFile, jwksFile });
    const signer = createServiceTokenSigner({ service: "wallet", privateJwk: loaded.privateJwk, now });
    await expect(ledgerVerifier(loaded.jwks)(await signer.tokenFor("ledger"))).resolves.toBe("wallet");
    expect(JSON.stringify(loaded.jwks)).not.toContain(keys.private.wallet.d);
  });

  test("that are missing, cut, of another kind or do not fit are named, and none is quoted", async () => {
    const good = await write("good.jwk.json", keys.private.wallet);
    const set = await write("good.jwks.json", keys.jwks);
    const { d } = keys.private.wallet;
    const load = (keyFile: string, jwksFile: string) => loadServiceKeys({ keyFile, jwksFile });
    const cut = await write("cut.jwk.json", JSON.stringify(keys.private.wallet).slice(0, -3));
    await expect(load(join(folder, "none.json"), set)).rejects.toThrow(
      /none\.json is not there: `npm start` makes what is missing of them/,
    );
    await expect(load(cut, set)).rejects.toThrow(/cut\.jwk\.json: not JSON/);
    await expect(load(cut, set)).rejects.not.toThrow(d);
    await expect(load(await write("public.json", keys.jwks.keys[0]), set)).rejects.toThrow(/not a private Ed25519 key/);
    await expect(load(good, await write("text.json", '"text"'))).rejects.toThrow(/text\.json: not a JSON object/);
    await expect(load(good, await write("object.json", {}))).rejects.toThrow(/not a JWK set/);
    const withPrivate = await write("private.json", { keys: [keys.private.wallet] });
    await expect(load(good, withPrivate)).rejects.toThrow(/private\.json: key wallet .* holds its private part/);
    const others = await write("others.json", { keys: keys.jwks.keys.slice(1) });
    await expect(load(good, others)).rejects.toThrow(/has no public key that fits/);
    const rsa = await write("rsa.json", { keys: [{ kty: "RSA", kid: "wallet", n: "AQAB", e: "AQAB" }] });
    await expect(load(good, rsa)).rejects.toThrow(/rsa\.json: key wallet is no Ed25519 key/);
  });
});
