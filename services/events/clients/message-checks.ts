import { randomUUID } from "node:crypto";
import { connect as connectTcp, isIP } from "node:net";
import { connect as connectTls } from "node:tls";
import { hostOf, isAllowedOrigin, isPublicAddress, type AllowedOrigins } from "../../platform/partners/address.js";
import { AddressRefused, pinnedLookup, type Resolve } from "../../platform/partners/addresses.js";
import { smsConfigurationOf } from "../../platform/messages/sms-sender.js";
import { templateFaults } from "../../platform/messages/sms-request.js";
import { failedStep, smtpSteps, type SmtpSender } from "../../platform/messages/smtp-sender.js";
import type { Installation } from "../../platform/plugins/installations.js";
import type { PluginCheck } from "../../platform/plugins/test-runs.js";

export interface ChecksDeps {
  smtp: Pick<SmtpSender, "try">;
  resolve: Resolve;
  allowedOf(tenantId: string): AllowedOrigins;
}

export type MessageChecks = ReturnType<typeof createMessageChecks>;

const connectMs = 10_000;

/** Checks of what tenants send messages by. Nobody but the sender itself gets one. */
export function createMessageChecks({ smtp, resolve, allowedOf }: ChecksDeps) {
  /** One mail to the sender's own address says of each step how it went. */
  async function ofSmtp(installation: Installation, tenantId: string): Promise<PluginCheck[]> {
    const { from, security, username } = installation.configuration as Record<string, string | undefined>;
    const text = "Manilla sent this mail to try your mail server. There is nothing to do.";
    const message = { reference: `test-${randomUUID()}`, channel: "EMAIL", to: from!, subject: "Test", text } as const;
    const startedAt = performance.now();
    const failed = await smtp.try(message, { tenantId, installation }).then(() => undefined, failedStep);
    const took = Math.round(performance.now() - startedAt);
    const failedAt = failed === undefined ? smtpSteps.length : smtpSteps.indexOf(failed.step);
    const has = { encryption: security !== "NONE", "sign-in": username !== undefined } as Record<string, boolean>;
    return smtpSteps.map((name, at) => {
      // The steps are one mail: how long it took stands where it ended.
      const durationMs = at === Math.min(failedAt, smtpSteps.length - 1) ? took : 0;
      if (at === failedAt) return { name, result: "FAILED", detail: failed!.why, durationMs };
      if (at > failedAt) return { name, result: "FAILED", detail: `not reached: ${failed!.step} failed`, durationMs };
      return { name, result: has[name] === false ? "LEFT_OUT" : "PASSED", detail: "", durationMs };
    });
  }

  /** Without a message: only the number's owner could say that one may be sent there. */
  async function ofSms(installation: Installation, tenantId: string): Promise<PluginCheck[]> {
    const configuration = smsConfigurationOf(installation);
    const faults = templateFaults(configuration, installation.secrets["secret"] !== undefined);
    const connection = await timed("connection", () => reach(new URL(configuration.url), allowedOf(tenantId)));
    return [
      { name: "template", result: faults.length === 0 ? "PASSED" : "FAILED", detail: faults.join("; "), durationMs: 0 },
      connection,
      { name: "message", result: "LEFT_OUT", detail: "no text message is sent by a test", durationMs: 0 },
    ];
  }

  /** Connects, with TLS where the URL has it, and hangs up. */
  async function reach(url: URL, allowed: AllowedOrigins): Promise<void> {
    const isAllowed = isAllowedOrigin(url, allowed);
    const host = hostOf(url);
    const isTls = url.protocol === "https:";
    if (!isAllowed && (!isTls || (isIP(host) !== 0 && !isPublicAddress(host)))) throw new AddressRefused(host);
    const port = Number(url.port || (isTls ? 443 : 80));
    const options = { host, port, ...(!isAllowed && { lookup: pinnedLookup(resolve) }) };
    await new Promise<void>((reached, failed) => {
      const servername = isIP(host) === 0 ? { servername: host } : {};
      const socket = isTls ? connectTls({ ...options, ...servername }) : connectTcp(options);
      socket.setTimeout(connectMs, () => socket.destroy(Object.assign(new Error(), { code: "ETIMEDOUT" })));
      socket.once(isTls ? "secureConnect" : "connect", () => (reached(), socket.destroy()));
      socket.once("error", failed);
    });
  }

  return {
    of(installation: Installation, tenantId: string): Promise<PluginCheck[]> {
      if (installation.type === "smtp") return ofSmtp(installation, tenantId);
      if (installation.type === "http-sms") return ofSms(installation, tenantId);
      throw new Error(`this version knows no plugin ${installation.type}`);
    },
  };
}

async function timed(name: string, work: () => Promise<void>): Promise<PluginCheck> {
  const startedAt = performance.now();
  const took = () => Math.round(performance.now() - startedAt);
  try {
    await work();
    return { name, result: "PASSED", detail: "", durationMs: took() };
  } catch (error) {
    const { code, name: kind } = error as NodeJS.ErrnoException;
    const detail = error instanceof AddressRefused ? "the address is not public" : `no connection: ${code ?? kind}`;
    return { name, result: "FAILED", detail, durationMs: took() };
  }
}
