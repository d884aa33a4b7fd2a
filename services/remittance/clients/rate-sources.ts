import type { AllowedOrigins } from "../../platform/partners/address.js";
import type { ExchangeAnswer, PinnedExchange } from "../../platform/partners/exchange.js";
import { whyNoAnswer } from "../../platform/partners/pinned-requests.js";
import type { CallLog } from "../../platform/plugins/call-log.js";
import type { Installation } from "../../platform/plugins/installations.js";
import type { ConnectAt } from "../../platform/plugins/installed-partners.js";
import type { OpenPartners } from "../../platform/plugins/open-partners.js";
import { Refusal } from "../../kernel/refusal.js";
import { rateSourceSettings, sourceOfPlugin } from "../domain/rate-source.js";
import { RateDocumentFault, ratesFromEcb, ratesFromJson, type RateDocument } from "../wire/rate-documents.js";

export interface RateSourcesDeps {
  openPartners: OpenPartners;
  exchange: PinnedExchange;
  /** Origins that a tenant's sources may have although they are http or private. */
  allowedOf: (tenantId: string) => AllowedOrigins;
  notes: Pick<CallLog, "note">;
}

/** Whose rates are read, and by which time. */
export interface RateReading {
  tenantId: string;
  installation: Installation;
  /** The tenant's time, and how far it is ahead of real time. */
  now: Date;
  aheadMs: number;
}

export type RateSources = ReturnType<typeof createRateSources>;

// Clocks of sources are not ours.
const mayLeadMs = 5 * 60_000;

/** The partners that rates are read from, each with a breaker of its own for each revision. */
export function createRateSources({ openPartners, exchange, allowedOf, notes }: RateSourcesDeps) {
  const opened = ({ breakers, bound }: ConnectAt) => ({ breakers, bound });
  const sources = openPartners(["FX_RATES"], { "rates-json": opened, "rates-ecb": opened });

  /** The whole answer, whatever its status. Refuses UNAVAILABLE where there is none. */
  async function get(tenantId: string, installation: Installation, apiKey: string | undefined, signal?: AbortSignal) {
    const { url, timeoutMs } = rateSourceSettings(installation.configuration);
    const timeout = AbortSignal.timeout(timeoutMs);
    const accept = installation.type === "fx-ecb" ? "application/xml, text/xml" : "application/json";
    try {
      return await exchange.to(allowedOf(tenantId))(new URL(url), {
        method: "GET",
        headers: { accept, ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }) },
        body: null,
        signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
      });
    } catch (error) {
      throw new Refusal("UNAVAILABLE", whyNone(error));
    }
  }

  return {
    installations: sources.installations,
    get,
    /**
     * The rates of a source as it is now. Throws RateDocumentFault where it answers with anything
     * else or with a document that is too old, and refuses UNAVAILABLE where it does not answer
     * or a secret is missing.
     */
    async read({ tenantId, installation, ...time }: RateReading, signal?: AbortSignal): Promise<RateDocument> {
      const { breakers, bound } = sources.openedOf(tenantId, installation).connection;
      const at = new Date();
      const startedAt = performance.now();
      let status = 0;
      let outcome: "OK" | "REFUSED" | "UNKNOWN" = "UNKNOWN";
      const note = () =>
        notes.note(
          tenantId,
          installation.installationId,
          {
            operation: "rates",
            reference: "",
            at,
            status,
            durationMs: Math.round(performance.now() - startedAt),
            outcome,
          },
          () => breakers.isOpen(tenantId),
        );
      return breakers.through(tenantId, async () => {
        try {
          const answer = await bound.within(() => get(tenantId, installation, installation.secrets["apiKey"], signal));
          ({ status } = answer);
          if (status >= 400 && status < 500) outcome = "REFUSED";
          const document = documentOf(answer, { installation, ...time });
          assertFresh(document, installation, new Date(time.now.getTime() - time.aheadMs));
          outcome = "OK";
          return document;
        } finally {
          note();
        }
      });
    },
  };
}

/** What an answer says. Throws RateDocumentFault. */
export function documentOf(
  { status, text }: ExchangeAnswer,
  { installation, now, aheadMs }: Omit<RateReading, "tenantId">,
): RateDocument {
  if (status !== 200) throw new RateDocumentFault(`answers with status ${status}`);
  const { pairs, validForMs } = rateSourceSettings(installation.configuration);
  const of = { now, aheadMs, source: sourceOfPlugin(installation), validForMs, pairs };
  return installation.type === "fx-ecb" ? ratesFromEcb(text, of) : ratesFromJson(text, of);
}

/** Throws RateDocumentFault for a document that is too old, or from a time that has not come. */
export function assertFresh({ at }: RateDocument, { configuration }: Installation, realNow: Date): void {
  const { maxAgeMs } = rateSourceSettings(configuration);
  const ageMs = realNow.getTime() - at.getTime();
  if (ageMs > maxAgeMs) throw new RateDocumentFault(`is of ${at.toISOString()}, which is too old`);
  if (ageMs < -mayLeadMs) throw new RateDocumentFault(`is of ${at.toISOString()}, which has not come`);
}

function whyNone(error: unknown): string {
  const { name, message } = error as Error;
  if (name === "TimeoutError") return "no answer in time";
  return message === "the partner redirects" || message === "the partner's answer is too long"
    ? message
    : whyNoAnswer(error);
}
