import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import {
  CheckFailed,
  createPartnerClient,
  expectStatus,
  expectThat,
  faultOf,
  type Answer,
  type CertificationTarget,
  type ForcedOrder,
} from "./test-partner.js";

/** What a bank or an acquirer is ordered under our reference, and asked for by it. */
export type OrderKind = "transfers" | "card-charges";

const statuses = {
  transfers: ["ACCEPTED", "PAID", "REFUSED", "RETURNED"],
  "card-charges": ["PENDING", "CAPTURED", "REFUSED"],
} as const;
const viewSchema = z.object({
  reference: z.string(),
  status: z.string(),
  reason: z.string().optional(),
});
const waitMs = 15_000;
const pollMs = 50;

export interface SeenOrder {
  status: string;
  reason?: string | undefined;
}

export interface OrderDraft {
  amount?: string;
  forced?: ForcedOrder;
  /** Beside what an order has. */
  more?: object;
}

export type MoneyPartner = ReturnType<typeof createMoneyPartner>;

/** Asks a bank or an acquirer as the contract says, and reads its answers strictly. */
export function createMoneyPartner(target: CertificationTarget, kind: OrderKind) {
  const ask = createPartnerClient(target);
  const pathOf = (reference: string) => `/v1/bank/${kind}/${encodeURIComponent(reference)}`;
  const content =
    kind === "transfers"
      ? { bankCode: "058", accountNumber: "3001234567", accountHolderName: "Ngozi Okafor", narration: "Certification" }
      : { cardToken: "tok_ok" };

  function read({ body }: Answer, reference: string): SeenOrder {
    const seen = viewSchema.safeParse(body);
    if (!seen.success) throw new CheckFailed(`an answer: ${faultOf(seen.error)}`);
    const { status } = seen.data;
    expectThat(seen.data.reference === reference, `it names the reference ${seen.data.reference}`);
    const known: readonly string[] = statuses[kind];
    expectThat(known.includes(status), `its status is ${status}, which is none of ${known.join(", ")}`);
    return seen.data;
  }

  /** Undefined where there was no answer. */
  const submit = (
    reference: string,
    { amount = "10.00", forced = { behaviour: "ACCEPT", settleMs: 0 }, more = {} }: OrderDraft = {},
    requested: { timeoutMs?: number; apiKey?: string } = {},
  ) => ask("PUT", pathOf(reference), { body: { amount, currency: "NGN", ...content, forced, ...more }, ...requested });

  async function find(reference: string): Promise<SeenOrder | undefined> {
    const answer = expectStatus(await ask("GET", pathOf(reference)), [200, 404], "a look by reference");
    return answer.status === 404 ? undefined : read(answer, reference);
  }

  return {
    ask,
    submit,
    find,
    /** Answered 200 or 202, with what became of it. */
    async ordered(reference: string, draft?: OrderDraft): Promise<SeenOrder> {
      return read(expectStatus(await submit(reference, draft), [200, 202], "an order"), reference);
    },
    /** What it has become, once it has. */
    async until(reference: string, status: string): Promise<SeenOrder> {
      const giveUpAt = performance.now() + waitMs;
      for (;;) {
        const seen = await find(reference);
        if (seen?.status === status) return seen;
        if (performance.now() > giveUpAt) {
          throw new CheckFailed(`after ${waitMs / 1_000} s it is ${seen?.status ?? "unknown"} and not ${status}`);
        }
        await sleep(pollMs);
      }
    },
  };
}
