import { X509Certificate, createPrivateKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PeerCertificate } from "node:tls";
import { experimental, type ChannelCredentials, type ServerCredentials } from "@grpc/grpc-js";
import { processMetrics } from "../telemetry/metrics.js";
import type { ServiceName } from "../grpc/context.js";

export interface TlsOptions {
  /** Folder with tls.crt, tls.key and ca.crt, as Kubernetes mounts a TLS secret. */
  dir: string;
  /** A service's certificate names it as `<service>.<trustDomain>`. */
  trustDomain: string;
  /** How often the files are looked at. */
  pollMs?: number;
  /** Told when new files cannot be used; the old ones stay. */
  onFault?: (error: Error) => void;
}

/**
 * A service's certificate and whom it trusts: both ends of mutual TLS, made anew when the files
 * change.
 */
export interface Tls {
  readonly serverCredentials: ServerCredentials;
  readonly channelCredentials: ChannelCredentials;
  /** The name that the certificate of `service` carries. */
  nameOf(service: ServiceName): string;
  /**
   * The service that a peer's certificate names; undefined where it names none of this trust
   * domain, or several.
   */
  serviceOf(certificate: Pick<PeerCertificate, "subjectaltname"> | undefined): string | undefined;
  /** Stops looking at the files. */
  close(): void;
}

interface Material {
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
  readonly caCertificate: Buffer;
}

/** Reads the certificate, its key and the CAs. Rejects naming the file that is at fault. */
export async function loadTls({ dir, trustDomain, pollMs = 10_000, onFault }: TlsOptions): Promise<Tls> {
  const first = await readMaterial(dir);
  const source = createMaterialSource(first);
  showEnds(first);
  const timer = setInterval(() => void refresh(), pollMs);
  timer.unref();

  async function refresh(): Promise<void> {
    try {
      const next = await readMaterial(dir);
      source.replace(next);
      showEnds(next);
    } catch (error) {
      // Half-written, or taken away: the next look decides.
      onFault?.(error as Error);
    }
  }

  const suffix = `.${trustDomain}`;
  return {
    serverCredentials: experimental.createCertificateProviderServerCredentials(source, source, true),
    channelCredentials: experimental.createCertificateProviderChannelCredentials(source, source),
    nameOf: (service) => service + suffix,
    serviceOf: (certificate) => {
      const names = (certificate?.subjectaltname ?? "")
        .split(", ")
        .filter((name) => name.startsWith("DNS:") && name.endsWith(suffix))
        .map((name) => name.slice("DNS:".length, -suffix.length));
      return names.length === 1 ? names[0] : undefined;
    },
    close: () => clearInterval(timer),
  };
}

/** Of what is in use: a renewal that cannot be read leaves the end of the certificate before it. */
function showEnds({ certificate, caCertificate }: Material): void {
  const endsS = (pem: Buffer | string) => new X509Certificate(pem).validToDate.getTime() / 1_000;
  processMetrics.certificateEnds.set({ file: "tls.crt" }, endsS(certificate));
  // While a CA is replaced there are several; trust ends with the last.
  const authorities = caCertificate.toString("latin1").match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g) ?? [];
  processMetrics.certificateEnds.set({ file: "ca.crt" }, Math.max(...authorities.map(endsS)));
}

type Listener<Update> = (update: Update) => void;

/**
 * What grpc-js asks for certificates. It hears of new ones at once; connections that are open keep
 * theirs.
 */
function createMaterialSource(first: Material): experimental.CertificateProvider & { replace(next: Material): void } {
  let current = first;
  const listeners = new Set<Listener<Material>>();
  // Later, as grpc-js expects: its own set-up must be over.
  const add = (listener: Listener<Material>): void => {
    listeners.add(listener);
    process.nextTick(() => listeners.has(listener) && listener(current));
  };
  return {
    addCaCertificateListener: add,
    removeCaCertificateListener: (listener) => listeners.delete(listener),
    addIdentityCertificateListener: add,
    removeIdentityCertificateListener: (listener) => listeners.delete(listener),
    replace(next) {
      const isSame = (["certificate", "privateKey", "caCertificate"] as const).every((part) =>
        next[part].equals(current[part]),
      );
      if (isSame) return;
      current = next;
      for (const listener of listeners) listener(next);
    },
  };
}

/**
 * All three or none: a certificate without its key, as in the middle of a rotation, would end every
 * handshake.
 */
async function readMaterial(dir: string): Promise<Material> {
  const [certFile, keyFile, caFile] = ["tls.crt", "tls.key", "ca.crt"].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  const [certificate, privateKey, caCertificate] = await Promise.all([certFile, keyFile, caFile].map(readNamed));
  const leaf = parsed(certFile, () => new X509Certificate(certificate!));
  parsed(caFile, () => new X509Certificate(caCertificate!));
  const key = parsed(keyFile, () => createPrivateKey(privateKey!));
  if (!leaf.checkPrivateKey(key)) throw new Error(`${keyFile}: is not the key of ${certFile}`);
  return { certificate: certificate!, privateKey: privateKey!, caCertificate: caCertificate! };
}

async function readNamed(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new Error(`${file}: ${(error as NodeJS.ErrnoException).code ?? "not readable"}`, { cause: error });
  }
}

function parsed<T>(file: string, parse: () => T): T {
  try {
    return parse();
  } catch {
    // The parser's message may quote the key.
    throw new Error(`${file}: not in PEM form`);
  }
}
