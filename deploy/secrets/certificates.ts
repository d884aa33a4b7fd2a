import { X509Certificate as NodeCertificate, createPrivateKey, randomBytes, webcrypto } from "node:crypto";
// The library's container asks for it at import.
import "reflect-metadata";
import * as x509 from "@peculiar/x509";

const dayMs = 86_400_000;
const signing = { name: "Ed25519" } as const;
const tls = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
/** A node's clock may be behind the one that reads a certificate. */
const earlierMs = 5 * 60_000;

/** A private key (PKCS #8) and the certificate that goes with it, both PEM. */
export interface CertifiedKey {
  readonly key: string;
  readonly certificate: string;
}

type KeyPair = webcrypto.CryptoKeyPair;

async function newKeys(algorithm: typeof signing | typeof tls): Promise<KeyPair> {
  return (await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as KeyPair;
}

async function keyPem({ privateKey }: KeyPair): Promise<string> {
  const bytes = await webcrypto.subtle.exportKey("pkcs8", privateKey);
  return `${x509.PemConverter.encode(bytes, "PRIVATE KEY")}\n`;
}

/** Positive and of 127 bits, as RFC 5280 wants it. */
function newSerial(): string {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return bytes.toString("hex");
}

const lifeOf = (days: number, now: Date) => ({
  notBefore: new Date(now.getTime() - earlierMs),
  notAfter: new Date(now.getTime() + days * dayMs),
});

/** A service's Ed25519 key: its certificate names it, and is trusted by being listed. */
export async function makeSigningPair(service: string, now = new Date()): Promise<CertifiedKey> {
  const keys = await newKeys(signing);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial(),
    name: `CN=${service}`,
    ...lifeOf(36_500, now),
    signingAlgorithm: signing,
    keys,
  });
  return { key: await keyPem(keys), certificate: `${certificate.toString("pem")}\n` };
}

/** The authority that signs the services' certificates. */
export async function makeAuthority(trustDomain: string, now = new Date()): Promise<CertifiedKey> {
  const keys = await newKeys(tls);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial(),
    name: `CN=${trustDomain} CA`,
    ...lifeOf(3_650, now),
    signingAlgorithm: tls,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { key: await keyPem(keys), certificate: `${certificate.toString("pem")}\n` };
}

/**
 * Throws where an authority that an operator has put into the secret `secret` cannot sign: names
 * the entry that is at fault and what is accepted, and never quotes a key.
 */
export function checkAuthority({ key, certificate }: CertifiedKey, secret: string): void {
  const accepted =
    "accepted is an EC key on P-256 (prime256v1), as PKCS #8 or SEC1, in PEM form and without a password";
  const refuse = (entry: string, fault: string): never => {
    throw new Error(`secret ${secret}: ${entry} ${fault}`);
  };
  const read = <T>(entry: string, accepts: string, parse: () => T): T => {
    try {
      return parse();
    } catch {
      return refuse(entry, `cannot be read: ${accepts}`);
    }
  };
  const privateKey = read("tls.key", accepted, () => createPrivateKey(key));
  const { asymmetricKeyType: type = "", asymmetricKeyDetails: details } = privateKey;
  if (type !== "ec") refuse("tls.key", `is a key of the type ${type}: ${accepted}`);
  if (details?.namedCurve !== "prime256v1") refuse("tls.key", `is an EC key on ${details?.namedCurve}: ${accepted}`);
  const own = read(
    "tls.crt",
    "accepted is the authority's certificate in PEM form",
    () => new NodeCertificate(certificate),
  );
  if (!own.checkPrivateKey(privateKey)) refuse("tls.key", "is not the key of its tls.crt");
}

/** A certificate of the authority for `<service>.<trustDomain>`, for both ends of a connection. */
export async function makeCertificate(
  authority: CertifiedKey,
  service: string,
  { trustDomain, days }: { trustDomain: string; days: number },
  now = new Date(),
): Promise<CertifiedKey> {
  const issuer = new x509.X509Certificate(authority.certificate);
  // The key of an operator's authority may be SEC1 (`EC PRIVATE KEY`), as cert-manager writes it.
  const pkcs8 = createPrivateKey(authority.key).export({ type: "pkcs8", format: "der" });
  const signingKey = await webcrypto.subtle.importKey("pkcs8", pkcs8, tls, false, ["sign"]);
  const keys = await newKeys(tls);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: newSerial(),
    subject: `CN=${service}`,
    issuer: issuer.subject,
    ...lifeOf(days, now),
    signingAlgorithm: tls,
    publicKey: keys.publicKey,
    signingKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth, x509.ExtendedKeyUsage.clientAuth]),
      new x509.SubjectAlternativeNameExtension([{ type: "dns", value: `${service}.${trustDomain}` }]),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  });
  return { key: await keyPem(keys), certificate: `${certificate.toString("pem")}\n` };
}

/**
 * Whether a certificate is of this authority and name, and not older than `renewAfterDays` or half
 * its life.
 */
export function isGood(
  certificate: string | undefined,
  authority: string,
  { name, renewAfterDays, now = new Date() }: { name: string; renewAfterDays: number; now?: Date },
): boolean {
  if (!certificate) return false;
  try {
    const found = new NodeCertificate(certificate);
    const ageDays = Math.floor((now.getTime() - earlierMs - Date.parse(found.validFrom)) / dayMs);
    const left = Date.parse(found.validTo) - now.getTime();
    const life = Date.parse(found.validTo) - Date.parse(found.validFrom);
    const isOurs = found.verify(new NodeCertificate(authority).publicKey) && found.subjectAltName === `DNS:${name}`;
    return isOurs && ageDays < renewAfterDays && left > life / 2;
  } catch {
    return false;
  }
}
