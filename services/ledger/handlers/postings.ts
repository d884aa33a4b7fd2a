import type { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import type { PostExchangeRequest } from "../../../proto/gen/ledger/v1/ledger.js";
import { EntrySide, LatePosting, TransferMode } from "../../../proto/gen/ledger/v1/ledger.js";
import type { Call } from "../../kernel/grpc/context.js";
import { parseDecimal } from "../../kernel/decimal.js";
import { moneyFromWire, type Money } from "../../kernel/money.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { positionCodeOf, posters } from "../domain/chart.js";
import { checkRate } from "../domain/exchange.js";
import type { Posting } from "../domain/model.js";
import { soleAccount, soleAccountId } from "../domain/own-accounts.js";
import { isReversal } from "../domain/steps.js";
import { postingFromWire } from "../wire/postings.js";
import { storedTransferToWire } from "../wire/transfers.js";
import { idFromWire } from "../wire/values.js";
import { byId, type LedgerDeps } from "./deps.js";

const maxExchangeKeyLength = 120;

export function postingHandlers({ store, posting, dryRun, clock }: LedgerDeps) {
  /** Makes the position accounts of both currencies, where they are not there yet. */
  async function ensurePositions({ code, from, to }: Exchange, call: Call): Promise<void> {
    const infos = [from, to].map(({ currency }) => soleAccount(code, currency, clock.now()));
    await store.forTenant(call.tenantId).ensureAccounts(infos);
  }

  return {
    async postTransfers(request, call) {
      const requested = postingFromWire(request, call.caller, call.interactionId);
      return { results: await posting.post(requested, call) };
    },

    async dryRunTransfers({ request }, call) {
      if (request === undefined) throw invalidInput("request", "is required");
      return { results: await dryRun(postingFromWire(request, call.caller, call.interactionId), call.tenantId) };
    },

    async postExchange(request, call) {
      const code = positionCodeOf(call.caller);
      if (code === undefined) throw new Refusal("NOT_ACCOUNT_OWNER", `${call.caller} has no position accounts`);
      const requested = exchangeFromWire(request, code, call);
      await ensurePositions(requested, call);
      const [result] = await posting.post(requested.posting, call);
      return { result: result! };
    },

    async postForwardedTransfers({ request, onBehalfOf }, call) {
      if (request === undefined) throw invalidInput("request", "is required");
      const requested = postingFromWire(request, posterOf(onBehalfOf), call.interactionId);
      return { results: await posting.postForwarded(requested, call) };
    },

    async getTransfer({ key }, call) {
      const tenant = store.forTenant(call.tenantId);
      const transfer = (await tenant.findDecision(key))?.transfer;
      if (transfer === undefined) throw new Refusal("TRANSFER_NOT_FOUND", `no transfer ${key}`);
      const [accounts, pending, reversedBy] = await Promise.all([
        tenant.findAccounts([transfer.debitAccountId, transfer.creditAccountId]),
        transfer.mode === "PENDING" ? tenant.findPending(key) : undefined,
        transfer.mode === "PENDING" || isReversal(transfer) ? undefined : tenant.findReversedBy(key),
      ]);
      return { transfer: storedTransferToWire(transfer, byId(accounts), { pending, reversedBy }) };
    },
  } satisfies Partial<Handlers<LedgerServiceDefinition>>;
}

/** The service that the forwarding replica was asked by. Refuses CALLER_NOT_ALLOWED. */
function posterOf(onBehalfOf: string): string {
  const service = posters.find((name) => name === onBehalfOf);
  if (service === undefined) throw new Refusal("CALLER_NOT_ALLOWED", `${onBehalfOf} may not post`);
  return service;
}

interface Exchange {
  /** Of the position accounts. */
  readonly code: string;
  readonly from: Money;
  readonly to: Money;
  readonly posting: Posting;
}

function exchangeFromWire(request: PostExchangeRequest, code: string, call: Call): Exchange {
  const { key, rate, kind, description, createdBy, effectiveAt, debitAccountId, creditAccountId } = request;
  if (key.length > maxExchangeKeyLength)
    throw invalidInput("key", `must have at most ${maxExchangeKeyLength} characters`);
  idFromWire(key, "key");
  const from = moneyFromWire(request.from, "from");
  const to = moneyFromWire(request.to, "to");
  if (from.currency === to.currency) throw invalidInput("to.currency", "must be another one than that of from");
  checkRate(from, to, parseDecimal(rate, "rate"));
  const common = {
    kind,
    description,
    effectiveAt,
    mode: TransferMode.TRANSFER_MODE_POSTED,
    metadata: { ...request.metadata, rate, pair: `${from.currency}/${to.currency}` },
    pendingKey: "",
    pendingTimeout: undefined,
    reversesKey: "",
    staysWithin: EntrySide.ENTRY_SIDE_UNSPECIFIED,
    beyondMinor: 0n,
    late: LatePosting.LATE_POSTING_UNSPECIFIED,
  };
  const wire = (money: Money) => ({ amountMinor: money.minor, currency: money.currency });
  const transfers = [
    {
      ...common,
      key: `${key}:from`,
      amount: wire(from),
      debitAccountId,
      creditAccountId: soleAccountId(code, from.currency),
    },
    {
      ...common,
      key: `${key}:to`,
      amount: wire(to),
      debitAccountId: soleAccountId(code, to.currency),
      creditAccountId,
    },
  ];
  const posting = postingFromWire({ groups: [{ transfers }], createdBy }, call.caller, call.interactionId);
  return { code, from, to, posting };
}
