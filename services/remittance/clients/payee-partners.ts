import { z } from "zod";
import { createBound, type Bound } from "../../kernel/batching/bound.js";
import type { OutgoingContext } from "../../kernel/grpc/client.js";
import { Refusal } from "../../kernel/refusal.js";
import { createSender, type Sender } from "../../platform/partners/sender.js";
import type { OpenPartners } from "../../platform/plugins/open-partners.js";
import {
  isAboutPayee,
  payeeChecksPath,
  payeeResults,
  type PayeeResult,
} from "../../platform/plugins/payee-contract.js";
import { pluginTypeOf } from "../../platform/plugins/types/index.js";
import type { PayeeQuestion } from "../domain/payee-check.js";

/** What a partner said of an account; the name is empty where it told none. */
export interface PayeeAnswer {
  result: PayeeResult;
  accountName: string;
}

export type PayeePartners = ReturnType<typeof createPayeePartners>;

/** How long an order waits for who knows payees, ms. */
export const payeeAnswerMs = 3_000;
// Orders of people who wait, and no relays: more than partners otherwise have under way.
const mostAtPartner = 64;
const maxNameLength = 140;
const answerSchema = z.object({ result: z.enum(payeeResults), accountName: z.unknown().optional() });

/** Tenants' own partners who know whose an account is. */
export function createPayeePartners(openPartners: OpenPartners) {
  const partners = openPartners(["PAYEE_CHECK"], {
    "json-http"({ options, breakers, tenantId, installation }): { send: Sender; bound: Bound } {
      const bound = createBound(mostAtPartner, `${tenantId}/${installation.installationId}`);
      return { send: createSender({ ...options, breakers }), bound };
    },
  });

  return {
    /**
     * What the oldest ENABLED one says, undefined where the tenant has none. Refuses UNAVAILABLE
     * where nobody knows: no answer in 3 s, one about something else, a partner that is away.
     */
    async ask(
      question: PayeeQuestion,
      checkReference: string,
      call: OutgoingContext,
    ): Promise<PayeeAnswer | undefined> {
      const { tenantId } = call;
      const signal = AbortSignal.timeout(payeeAnswerMs);
      const all = await within(signal, partners.installations.of(call));
      const own = all.find(({ type, status }) => status === "ENABLED" && pluginTypeOf(type)?.kind === "PAYEE_CHECK");
      if (own === undefined) return undefined;
      const { send, bound } = partners.openedOf(tenantId, own).connection;
      const body = { checkReference, ...question };
      const subject = { operation: "check", reference: checkReference };
      const answer = await within(
        signal,
        bound.within(() =>
          send("POST", payeeChecksPath, { tenantId, signal }, body, subject, (said) => {
            return said.status !== 200 || isAboutPayee(said.body, body);
          }),
        ),
      );
      const read = answerSchema.safeParse(answer.body);
      if (answer.status !== 200 || !read.success) {
        throw new Refusal("UNAVAILABLE", `the payee check was answered ${answer.status}`);
      }
      return { result: read.data.result, accountName: nameOf(read.data.accountName) };
    },
  };
}

/** On one line, without what nobody sees, as long as a name of ours. */
function nameOf(said: unknown): string {
  if (typeof said !== "string") return "";
  const line = said.slice(0, 4 * maxNameLength).replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ");
  return Array.from(line.trim()).slice(0, maxNameLength).join("");
}

/** Refuses UNAVAILABLE once the signal says that it is too late. */
async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    const tooLate = () => reject(new Refusal("UNAVAILABLE", "no answer in time"));
    if (signal.aborted) tooLate();
    signal.addEventListener("abort", tooLate, { once: true });
  });
  return Promise.race([work, late]);
}
