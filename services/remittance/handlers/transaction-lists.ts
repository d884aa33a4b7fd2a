import type {
  ListTransactionsRequest,
  RemittanceServiceDefinition,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { DeliveryMethod as WireMethod } from "../../../proto/gen/remittance/v1/remittance.js";
import { toAlpha3 } from "../../kernel/codes/countries.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { wordsOf, type ListPosition, type TransactionFilter } from "../domain/transaction-list.js";
import { trimmedFromWire } from "../../kernel/text/wire-text.js";
import { methodFromWire, pageSizeFromWire } from "../wire/fields.js";
import { transactionToWire } from "../wire/transactions.js";
import { asSeenBy, seesBlocks, seesPartners } from "./as-seen-by.js";
import type { RemittanceDeps } from "./deps.js";

const maxWords = 5;
const statusForm = /^[A-Z_]{1,40}$/;

/** What people may see of transactions, page by page. */
export function transactionListHandlers({ store, people }: Pick<RemittanceDeps, "store" | "people">) {
  return {
    async listTransactions(request, call) {
      const filter = filterFromWire(request);
      if (request.held && !seesBlocks(call)) throw new Refusal("FORBIDDEN", "what is held for a hit is not shown here");
      if (request.unclear && !seesPartners(call)) throw new Refusal("FORBIDDEN", "this waits for managers");
      const limit = pageSizeFromWire(request.pageSize);
      const after = positionFromWire(request.cursor);
      const owners = await people.visibleTransactions(call);
      const found = await store
        .forTenant(call.tenantId)
        .listNewest(
          { ...filter, ...owners, seesBlocks: seesBlocks(call) },
          { limit: limit + 1, ...(after !== undefined && { after }) },
        );
      const page = found.slice(0, limit);
      const last = page.at(-1);
      return {
        transactions: page.map((transaction) => transactionToWire(asSeenBy(call, transaction), false)),
        nextCursor: found.length > limit && last !== undefined ? positionToWire(last) : "",
      };
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}

/** Refuses INVALID_INPUT. */
function filterFromWire(request: ListTransactionsRequest): TransactionFilter {
  const { statuses, type, from, to, sendCurrency, receivingCountry } = request;
  for (const [index, status] of statuses.entries()) {
    if (!statusForm.test(status)) throw invalidInput(`statuses[${index}]`, "is no status");
  }
  if (statuses.length > 20) throw invalidInput("statuses", "must have at most 20");
  if (from !== undefined && to !== undefined && from >= to) throw invalidInput("to", "must be after from");
  const senderCode = trimmedFromWire(request.senderCustomerCode, "senderCustomerCode", 128, true);
  const recipientCode = trimmedFromWire(request.recipientCode, "recipientCode", 128, true);
  const words = wordsOf(trimmedFromWire(request.search, "search", 200, true));
  if (words.length > maxWords) throw invalidInput("search", `must have at most ${maxWords} words`);
  return {
    ...(statuses.length > 0 && { statuses }),
    ...(type !== WireMethod.DELIVERY_METHOD_UNSPECIFIED && { deliveryMethod: methodFromWire(type, "type") }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(sendCurrency !== "" && { sendCurrency: assertCurrency(sendCurrency, "sendCurrency") }),
    ...(receivingCountry !== "" && { receivingCountry: toAlpha3(receivingCountry, "receivingCountry") }),
    ...(senderCode !== "" && { senderCode }),
    ...(recipientCode !== "" && { recipientCode }),
    ...(words.length > 0 && { words }),
    ...(request.held && { isHeld: true }),
    ...(request.unclear && { isUnclear: true }),
  };
}

function positionToWire({ createdAt, transactionId }: ListPosition): string {
  return `${createdAt.getTime()}.${transactionId}`;
}

/** Refuses INVALID_INPUT. */
function positionFromWire(cursor: string): ListPosition | undefined {
  if (cursor === "") return undefined;
  const match = /^(\d{1,15})\.([\w-]{1,64})$/.exec(cursor);
  if (match === null) throw invalidInput("cursor", "is none of this list");
  return { createdAt: new Date(Number(match[1])), transactionId: match[2]! };
}
