import type { IncomingMessage } from "node:http";
import type { AllowedOrigins } from "../partners/address.js";
import type { Resolve } from "../partners/addresses.js";
import { createPinnedRequests, whyNoAnswer } from "../partners/pinned-requests.js";
import type { Installation } from "../plugins/installations.js";
import type { Message, Sent } from "./message.js";
import { smsRequestOf, type SmsConfiguration } from "./sms-request.js";

export interface SmsSenderDeps {
  resolve: Resolve;
  /** Where a tenant's services may be although it is http or not public. */
  allowedOf(tenantId: string): AllowedOrigins;
  timeoutMs?: number;
}

export interface SmsCall {
  tenantId: string;
  installation: Installation;
  signal?: AbortSignal | undefined;
}

export type SmsSender = ReturnType<typeof createSmsSender>;

// What a service answers beyond this is not read.
const maxRead = 64 * 1_024;
/** Answers about the message itself: who it goes to, or what it says. */
const refusesMessage: ReadonlySet<number> = new Set([400, 410, 413, 422]);

/** Text messages by a request of the tenant's template. Nothing is followed. */
export function createSmsSender({ resolve, allowedOf, timeoutMs = 10_000 }: SmsSenderDeps) {
  const requests = createPinnedRequests(resolve);

  async function post(message: Message, { tenantId, installation, signal }: SmsCall, late: AbortSignal) {
    const configuration = smsConfigurationOf(installation);
    const { secret = "" } = installation.secrets;
    const { to, text, reference: id } = message;
    const { headers, body } = smsRequestOf(configuration, { to, text, id, secret });
    const request = {
      method: configuration.method,
      headers,
      body,
      signal: signal === undefined ? late : AbortSignal.any([late, signal]),
    };
    const response = await requests.send(new URL(configuration.url), request, allowedOf(tenantId));
    const status = response.statusCode ?? 0;
    await readPast(response);
    return status;
  }

  return {
    /** Never throws. */
    async send(message: Message, call: SmsCall): Promise<Sent> {
      const late = AbortSignal.timeout(timeoutMs);
      try {
        return sentOf(await post(message, call, late), smsConfigurationOf(call.installation));
      } catch (error) {
        return {
          outcome: "UNKNOWN",
          status: 0,
          why: late.aborted ? `no answer within ${timeoutMs} ms` : whyNoAnswer(error),
        };
      }
    },
    close: () => requests.close(),
  };
}

export const smsConfigurationOf = ({ configuration }: Installation) => configuration as unknown as SmsConfiguration;

function sentOf(status: number, { successStatus = [] }: SmsConfiguration): Sent {
  const isTaken = successStatus.length === 0 ? status >= 200 && status < 300 : successStatus.includes(status);
  if (isTaken) return { outcome: "OK", status, why: "" };
  const outcome = refusesMessage.has(status) ? "REFUSED" : "UNKNOWN";
  return { outcome, status, why: `the service answered ${status}` };
}

/** Up to a bound, so that the connection can be kept. */
async function readPast(response: IncomingMessage): Promise<void> {
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxRead) break;
  }
}
