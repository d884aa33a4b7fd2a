import { webcrypto } from "node:crypto";
import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
// The library's container asks for it at import.
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export interface ReceivedMail {
  from: string;
  to: string[];
  user: string;
  /** As it came, headers and all. */
  raw: string;
  isEncrypted: boolean;
}

export interface MailServerOptions {
  security?: "TLS" | "STARTTLS" | "NONE";
  /** Who may send; everybody where it is absent. */
  credentials?: { username: string; password: string };
  /** The answer to a recipient, such as [550, "no such user"]; undefined takes it. */
  refuse?: (recipient: string) => [status: number, words: string] | undefined;
}

/** A mail server on this machine, named localhost. */
export async function startMailServer({ security = "STARTTLS", credentials, refuse }: MailServerOptions = {}) {
  const { key, certificate } = await selfSigned();
  const mails: ReceivedMail[] = [];
  const state = { connections: 0, open: 0 };
  const options: SMTPServerOptions = {
    secure: security === "TLS",
    key,
    cert: certificate,
    authOptional: credentials === undefined,
    allowInsecureAuth: true,
    // Whoever keeps a connection does not keep the server.
    closeTimeout: 100,
    disabledCommands: security === "STARTTLS" ? [] : ["STARTTLS"],
    onConnect(_session, done) {
      state.connections += 1;
      state.open += 1;
      done();
    },
    onClose: () => void (state.open -= 1),
    onAuth({ username, password }, _session, done) {
      const isKnown = username === credentials?.username && password === credentials?.password;
      // As careless as servers are: what it was sent comes back.
      done(isKnown ? null : new Error(`535 ${password} is wrong`), isKnown ? { user: username } : {});
    },
    onRcptTo({ address }, _session, done) {
      const [status, words] = refuse?.(address) ?? [];
      done(status === undefined ? null : Object.assign(new Error(words), { responseCode: status }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          user: typeof session.user === "string" ? session.user : "",
          raw: Buffer.concat(chunks).toString(),
          isEncrypted: session.secure,
        });
        done();
      });
    },
  };
  const server = new SMTPServer(options);
  server.on("error", () => undefined);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    port: (server.server.address() as AddressInfo).port,
    /** What clients trust it by. */
    ca: certificate,
    mails,
    state,
    close: () => new Promise<void>((closed) => server.close(closed)),
  };
}
export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/** Takes connections and says nothing. */
export async function startSilentServer() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function selfSigned(): Promise<{ key: string; certificate: string }> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as webcrypto.CryptoKeyPair;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=localhost",
    notBefore: new Date(Date.now() - 3_600_000),
    notAfter: new Date(Date.now() + 86_400_000),
    signingAlgorithm: algorithm,
    keys,
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: "dns", value: "localhost" }])],
  });
  const bytes = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey);
  return { key: x509.PemConverter.encode(bytes, "PRIVATE KEY"), certificate: certificate.toString("pem") };
}
