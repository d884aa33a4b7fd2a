import { connect, isIP, type Socket } from "node:net";
import type { createTransport } from "nodemailer";
import { authorityOf, isAllowedOrigin, isPublicAddress, type AllowedOrigins } from "../partners/address.js";
import { AddressRefused, pinnedLookup, type Resolve } from "../partners/addresses.js";
import type { Installation } from "../plugins/installations.js";
import { isSandbox } from "../sandbox/sandbox.js";
import type { Message, Sent } from "./message.js";

/** Of the type `smtp`, as its schema has it. */
interface SmtpConfiguration {
  host: string;
  port: number;
  security: "TLS" | "STARTTLS" | "NONE";
  from: string;
  fromName?: string;
  username?: string;
}

export interface SmtpSenderDeps {
  resolve: Resolve;
  /**
   * Where a tenant's mail servers may be although it is not public: `http://host:port` names one.
   */
  allowedOf(tenantId: string): AllowedOrigins;
  /** How long a mail may take in all, ms. */
  timeoutMs?: number;
  /** Trusted beside the usual authorities. Of tests alone. */
  ca?: string;
}

/** Of whose installation it is. */
export interface SmtpCall {
  tenantId: string;
  installation: Installation;
  signal?: AbortSignal | undefined;
}

export type SmtpSender = ReturnType<typeof createSmtpSender>;
type Transport = ReturnType<typeof openTransport>;
type Open = typeof createTransport;

const maxTransports = 1_000;
const maxConnections = 5;
const idleMs = 60_000;
const connectMs = 10_000;
/** The library reads lists, names and groups out of an address: a mail is for one person. */
const oneAddress = /^[^\s@<>"(),:;[\]\\\p{Cc}]+@[^\s@<>"(),:;[\]\\\p{Cc}]+$/u;

/** Loaded with the first mail: most processes send none. */
const mailer = async (): Promise<Open> => (await import("nodemailer")).createTransport;

/**
 * Mails by tenants' own servers. Connections are kept per installation,
 * and closed once it has changed.
 */
export function createSmtpSender(deps: SmtpSenderDeps) {
  const { timeoutMs = 30_000 } = deps;
  const open = new Map<string, { revision: number; transport: Transport }>();
  let isClosed = false;

  function transportOf(create: Open, { tenantId, installation }: SmtpCall): Transport {
    const key = `${tenantId}/${installation.installationId}`;
    const known = open.get(key);
    // Whoever read it earlier sends by what it has become.
    if (known !== undefined && known.revision >= installation.revision) return known.transport;
    known?.transport.close();
    open.delete(key);
    for (const [oldest, { transport }] of open) {
      if (open.size < maxTransports) break;
      transport.close();
      open.delete(oldest);
    }
    const transport = openTransport(create, deps, tenantId, installation, true);
    open.set(key, { revision: installation.revision, transport });
    return transport;
  }

  async function send(call: SmtpCall, message: Message): Promise<Sent> {
    const late = AbortSignal.timeout(timeoutMs);
    const signal = call.signal === undefined ? late : AbortSignal.any([late, call.signal]);
    try {
      const create = await mailer();
      if (isClosed) return unknown(0, "the service is stopping");
      await transportOf(create, call).sendMail({ ...mailOf(call.installation, message), signal });
      return { outcome: "OK", status: 250, why: "" };
    } catch (error) {
      return late.aborted ? unknown(0, `no answer within ${timeoutMs} ms`) : sentOf(error);
    }
  }

  return {
    /** Never throws. */
    async send(message: Message, call: SmtpCall): Promise<Sent> {
      if (!oneAddress.test(message.to)) return { outcome: "REFUSED", status: 0, why: "the recipient is no address" };
      if (isForbidden(call)) return unknown(0, "a live tenant's mails are encrypted");
      return send(call, message);
    },
    /** By a connection of its own, which is closed; throws what went wrong. */
    async try(message: Message, call: SmtpCall): Promise<void> {
      const transport = openTransport(await mailer(), deps, call.tenantId, call.installation, false);
      try {
        await transport.sendMail({ ...mailOf(call.installation, message), signal: AbortSignal.timeout(timeoutMs) });
      } finally {
        transport.close({ force: true });
      }
    },
    close(): void {
      isClosed = true;
      for (const { transport } of open.values()) transport.close({ force: true });
      open.clear();
    },
  };
}

const configurationOf = ({ configuration }: Installation) => configuration as unknown as SmtpConfiguration;

/** Whoever installs it is refused already; what goes in the clear is looked at once more. */
const isForbidden = ({ tenantId, installation }: SmtpCall) =>
  configurationOf(installation).security === "NONE" && !isSandbox(tenantId);

function openTransport(
  create: Open,
  { resolve, allowedOf, ca }: SmtpSenderDeps,
  tenantId: string,
  installation: Installation,
  isReusable: boolean,
) {
  const { host, port, security, from, username } = configurationOf(installation);
  const { password } = installation.secrets;
  const isAllowed = isAllowedOrigin(new URL(`http://${authorityOf(host, port)}`), allowedOf(tenantId));
  const transport = create({
    pool: true,
    maxConnections: isReusable ? maxConnections : 1,
    // The outbox tries again, not the pool.
    maxRequeues: isReusable ? 1 : 0,
    idleTimeout: idleMs,
    host,
    port,
    secure: security === "TLS",
    requireTLS: security === "STARTTLS",
    ignoreTLS: security === "NONE",
    // Not this machine's name, which is nobody's business.
    name: domainOf(from),
    tls: { minVersion: "TLSv1.2", ...(ca !== undefined && { ca }) },
    ...(username !== undefined && { auth: { user: username, pass: password ?? "" }, forceAuth: true }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: 60_000,
    logger: false,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: (_options: unknown, done: (error: Error | null, socket?: { connection: Socket }) => void) => {
      openSocket(host, port, isAllowed ? undefined : resolve).then(
        (connection) => done(null, { connection }),
        (error: Error) => done(error),
      );
    },
  });
  // Each mail that fails says so itself.
  transport.on("error", () => undefined);
  return transport;
}

/**
 * To an address that was checked, where `resolve` is given. Rejects with
 * AddressRefused for one that is not public.
 */
async function openSocket(host: string, port: number, resolve: Resolve | undefined): Promise<Socket> {
  if (resolve !== undefined && isIP(host) !== 0 && !isPublicAddress(host)) {
    throw new AddressRefused(`${host} is not public`);
  }
  return new Promise((opened, failed) => {
    const socket = connect({ host, port, ...(resolve !== undefined && { lookup: pinnedLookup(resolve) }) });
    const timer = setTimeout(
      () => socket.destroy(Object.assign(new Error("no connection in time"), { code: "ETIMEDOUT" })),
      connectMs,
    );
    // It stays: a socket may break before the mail has taken it over.
    socket.on("error", (error) => (clearTimeout(timer), failed(error)));
    socket.once("connect", () => (clearTimeout(timer), opened(socket)));
  });
}

function mailOf(installation: Installation, { reference, to, subject, text, html }: Message) {
  const { from, fromName } = configurationOf(installation);
  return {
    from: { name: fromName ?? "", address: from },
    // By its parts: text could name more than one.
    to: { name: "", address: to },
    envelope: { from, to: [to] },
    // The same at every try, so that who gets a mail twice may know it.
    messageId: `<${reference.replaceAll(/[^A-Za-z0-9._-]/g, "-")}@${domainOf(from)}>`,
    headers: { "Auto-Submitted": "auto-generated" },
    subject,
    text,
    ...(html !== undefined && { html }),
  };
}

const domainOf = (address: string) => address.slice(address.lastIndexOf("@") + 1);

interface SmtpFault extends Error {
  code?: string;
  /** Of the system or of TLS, where `code` is the library's. */
  originalCode?: string;
  command?: string;
  response?: string;
  responseCode?: number;
}

const unknown = (status: number, why: string): Sent => ({ outcome: "UNKNOWN", status, why });

function sentOf(error: unknown): Sent {
  const { code = "closed", originalCode = code, command, responseCode = 0 } = error as SmtpFault;
  if (isRecipientRefused(error as SmtpFault)) {
    return { outcome: "REFUSED", status: responseCode, why: `the recipient was refused with ${responseCode}` };
  }
  if (error instanceof AddressRefused) return unknown(0, "the address is not public");
  return unknown(responseCode, responseCode === 0 ? `no answer: ${originalCode}` : `${command}: ${responseCode}`);
}

/**
 * Whether the server will take no mail to this address. Enhanced codes 5.1 and 5.2 speak of address
 * and mailbox (RFC 3463), the others of us or of the server, which may be put right.
 */
function isRecipientRefused({ command, responseCode = 0, response = "" }: SmtpFault): boolean {
  if (command !== "RCPT TO" || responseCode < 550 || responseCode > 559) return false;
  const enhanced = /^\d{3}[ -]5\.(\d{1,3})\./.exec(response)?.[1];
  return enhanced === undefined || enhanced === "1" || enhanced === "2";
}

/** Steps of a mail in their order; the last is that it was taken. */
export const smtpSteps = ["address", "connection", "encryption", "sign-in", "sender", "recipient", "message"] as const;
export type SmtpStep = (typeof smtpSteps)[number];

/** At which step a mail failed, and what was seen there. */
export function failedStep(error: unknown): { step: SmtpStep; why: string } {
  return { step: stepOf(error as SmtpFault), why: sentOf(error).why };
}

/** How OpenSSL and Node name what is wrong with a handshake or a certificate. */
const ofTls = /^ERR_(SSL|TLS)_|CERT|SIGN|ISSUER/;

function stepOf(error: SmtpFault): SmtpStep {
  const { code = "", originalCode = "", command = "" } = error;
  if (error instanceof AddressRefused || code === "ENOTFOUND" || code === "ENODATA" || code === "EDNS")
    return "address";
  if (code === "ETLS" || ofTls.test(originalCode)) return "encryption";
  if (code === "EAUTH" || code === "ENOAUTH") return "sign-in";
  if (command === "MAIL FROM") return "sender";
  if (command === "RCPT TO") return "recipient";
  return command === "DATA" || code === "EMESSAGE" ? "message" : "connection";
}
