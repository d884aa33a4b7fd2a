import type { z } from "zod";
import { boundedJson, JsonFault } from "../../kernel/formats/bounded-json.js";
import { systemClock } from "../../kernel/time/clock.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { callbackShape } from "../../platform/plugins/payout-contract.js";
import { hint } from "../domain/accepted-payout-polling.js";
import { payoutOf } from "../domain/payout.js";
import type { RemittanceDeps } from "./deps.js";

// Longer than a callback's timestamp is taken for.
const rememberCallbackMs = 24 * 60 * 60_000;

export type CallbackDeps = Pick<RemittanceDeps, "store" | "outbox" | "clock" | "steps">;

/** A callback whose signature was checked. */
interface CheckedCallback {
  /** Unique among those of one partner. */
  webhookId: string;
  body: Uint8Array;
  /** Who signed it; the operator's default where absent. */
  installationId?: string;
  /** What the partner calls the tenant. */
  account: string;
}

/**
 * Takes a callback once, of a partner about what it was handed alone. It moves nothing by itself:
 * whoever drives the transaction asks the partner now. Refuses UNAUTHENTICATED for another account.
 */
export function createCallbackTaking({ store, outbox, clock, steps }: CallbackDeps) {
  return async function takeCallback(tenantId: string, callback: CheckedCallback): Promise<void> {
    const { installationId, webhookId } = callback;
    const { account, payout } = callbackFromWire(callback.body);
    if (account !== callback.account) throw new Refusal("UNAUTHENTICATED", "the callback is for another account");
    const tenant = store.forTenant(tenantId);
    const known = await tenant.findTransaction(payout.reference);
    // Most callbacks come when all is known: they cost one read.
    if (known === undefined || hint(known, payout.status, clock.now()) === undefined) return;
    if (payoutOf(known).installationId !== installationId) return;
    const id = installationId === undefined ? webhookId : `${installationId}:${webhookId}`;
    const expiresAt = new Date(systemClock.now().getTime() + rememberCallbackMs);
    await store.transaction(
      async (session) => {
        if (!(await tenant.takeCallback(id, expiresAt, session))) return true;
        const before = await tenant.findTransaction(payout.reference, session);
        const step = before && hint(before, payout.status, clock.now());
        if (before !== undefined && step !== undefined) {
          await steps.write(tenantId, before, step, { actor: "payout partner" }, session);
        }
        return true;
      },
      async () => undefined,
    );
    crashPoint("remittance.payout.hinted");
    outbox.wake();
  };
}

/** Refuses INVALID_INPUT for what is signed but cannot be understood. */
export function callbackFromWire(body: Uint8Array): z.output<typeof callbackShape> {
  let content: unknown;
  try {
    content = boundedJson(body);
  } catch (error) {
    throw invalidInput(
      "body",
      error instanceof JsonFault && error.message !== "is no JSON" ? error.message : "must be JSON",
    );
  }
  const parsed = callbackShape.safeParse(content);
  if (!parsed.success) throw invalidInput("body", "must be a payout callback");
  return parsed.data;
}
