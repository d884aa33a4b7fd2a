import type {
  GatheredAnswer,
  PostExchangeRequest,
  PostTransfersResponse,
} from "../../../proto/gen/ledger/v1/ledger.js";
import { TransferMode } from "../../../proto/gen/ledger/v1/ledger.js";
import type { Call } from "../../shared/grpc/context.js";
import type { WirePartial } from "../../shared/grpc/definition.js";
import { refusalToTrailer } from "../../shared/grpc/refusal-trailer.js";
import { parseDecimal, type Decimal } from "../../shared/decimal.js";
import { moneyFromWire, type Money } from "../../shared/money.js";
import { minorDigits } from "../../shared/currencies.js";
import { invalidInput, Refusal } from "../../shared/refusal.js";
import { chartRow } from "../chart.js";
import { isReversal } from "../steps.js";
import { isStoreAway, storeAway } from "../store/away.js";
import type { Posting } from "../posting.js";
import { checkTransfers, postingFromWire } from "../wire-postings.js";
import { storedTransferToWire } from "../wire-transfers.js";
import { idFromWire } from "../wire-values.js";
import { accountInfo } from "./accounts.js";
import { byId, owners, type LedgerHandlersDeps, type Rpcs } from "./deps.js";

type PostingRpcs = Rpcs<
  "postTransfers" | "postGathered" | "dryRunTransfers" | "postExchange" | "postForwardedTransfers" | "getTransfer"
>;

/** The code whose account of each currency stands between the two sides of an exchange. */
export const positionCode = "exchange_position";
const maxExchangeKeyLength = 120;

export function createPostingHandlers({ store, posting, dryRun, clock }: LedgerHandlersDeps): PostingRpcs {
  /** Makes the position accounts of both currencies, where they are not there yet. */
  async function ensurePositions({ from, to }: Exchange, call: Call): Promise<void> {
    const infos = [from, to].map(({ currency }) => {
      const name = "Exchange position";
      const account = { accountId: positionId(currency), code: positionCode, currency, name };
      return accountInfo({ ...account, ownerId: "", flags: [], metadata: [] }, call.caller, clock.now(), "from");
    });
    await store.forTenant(call.tenantId).ensureAccounts(infos);
  }

  return {
    async postTransfers(request, call) {
      const asked = postingFromWire(request, call.caller, call.interactionId);
      return { results: await posting.post(asked, call) };
    },

    async postGathered({ postings }, call) {
      checkTransfers(postings.flatMap(({ request }) => request?.groups ?? []));
      const answers = postings.map(({ request, interactionId }, index) =>
        answered(async () => {
          if (request === undefined) throw invalidInput(`postings[${index}].request`, "is required");
          const own = idFromWire(interactionId, `postings[${index}].interaction_id`);
          const asked = postingFromWire(request, call.caller, own);
          return { results: await posting.post(asked, { ...call, interactionId: own }) };
        }),
      );
      return { answers: await Promise.all(answers) };
    },

    async dryRunTransfers({ request }, call) {
      if (request === undefined) throw invalidInput("request", "is required");
      return { results: await dryRun(postingFromWire(request, call.caller, call.interactionId), call.tenantId) };
    },

    async postExchange(request, call) {
      const { service } = chartRow(positionCode)!;
      if (call.caller !== service) throw new Refusal("NOT_ACCOUNT_OWNER", `only ${service} may exchange`);
      const asked = exchangeFromWire(request, call);
      await ensurePositions(asked, call);
      const [result] = await posting.post(asked.posting, call);
      return { result: result! };
    },

    async postForwardedTransfers({ request, onBehalfOf }, call) {
      if (request === undefined) throw invalidInput("request", "is required");
      const service = owners.find((name) => name === onBehalfOf);
      if (service === undefined) throw new Refusal("CALLER_NOT_ALLOWED", `${onBehalfOf} may not post`);
      const asked = postingFromWire(request, service, call.interactionId);
      return { results: await posting.postForwarded(asked, call) };
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
  };
}

/** One caller's answer, or what it was refused with. A bug is everybody's: they ask again one by one. */
async function answered(work: () => Promise<WirePartial<PostTransfersResponse>>): Promise<WirePartial<GatheredAnswer>> {
  try {
    return { response: await work() };
  } catch (error) {
    const known = isStoreAway(error) ? storeAway(error) : error;
    if (known instanceof Refusal) return { refusal: refusalToTrailer(known) };
    throw error;
  }
}

interface Exchange {
  readonly from: Money;
  readonly to: Money;
  readonly posting: Posting;
}

function positionId(currency: string): string {
  return `${positionCode}:${currency}`;
}

function exchangeFromWire(request: PostExchangeRequest, call: Call): Exchange {
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
  };
  const wire = (money: Money) => ({ amountMinor: money.minor, currency: money.currency });
  const transfers = [
    {
      ...common,
      key: `${key}:from`,
      amount: wire(from),
      debitAccountId,
      creditAccountId: positionId(from.currency),
    },
    { ...common, key: `${key}:to`, amount: wire(to), debitAccountId: positionId(to.currency), creditAccountId },
  ];
  const posting = postingFromWire({ groups: [{ transfers }], createdBy }, call.caller, call.interactionId);
  return { from, to, posting };
}

/** Whatever the caller rounded by, what comes out lies within one minor unit of amount times rate. */
function checkRate(from: Money, to: Money, rate: Decimal): void {
  if (rate.digits === 0n) throw invalidInput("rate", "must not be zero");
  const scale = 10n ** BigInt(rate.scale + minorDigits(from.currency));
  const exact = from.minor * rate.digits * 10n ** BigInt(minorDigits(to.currency));
  const off = to.minor * scale - exact;
  if ((off < 0n ? -off : off) < scale) return;
  throw new Refusal("AMOUNT_MISMATCH", "`to` is not what `from` gives at the rate", {
    figures: { expectedMinor: String(exact / scale), askedMinor: String(to.minor) },
  });
}
