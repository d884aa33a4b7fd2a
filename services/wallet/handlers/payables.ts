import type {
  CancelPayableRequest,
  CancelPayableResponse,
  GetPayableRequest,
  GetPayableResponse,
  ListPayablesRequest,
  ListPayablesResponse,
} from "../../../proto/gen/wallet/v1/payables.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { issuedTypes, itemTypes, type PayableItem, type PayableItemType } from "../domain/payable.js";
import { payableToWire } from "../wire/payables.js";
import { nowOf, type WalletDeps } from "./deps.js";

/** Refuses PAYABLE_NOT_FOUND, FORBIDDEN where a customer neither pays nor gets it. */
export function getPayable(deps: WalletDeps) {
  return async ({ payableId }: GetPayableRequest, call: Call): Promise<GetPayableResponse> => {
    const item = await find(deps, payableId, call);
    return { payable: payableToWire(item, await nowOf(deps, call)) };
  };
}

export function listPayables(deps: WalletDeps) {
  return async (request: ListPayablesRequest, call: Call): Promise<ListPayablesResponse> => {
    const { role, customerId = "" } = requireUser(call);
    const type = typeFromWire(request.type);
    const size = request.pageSize || 20;
    if (size < 1 || size > 100) throw invalidInput("pageSize", "must be 1 to 100");
    textFromWire(request.cursor, "cursor", { minimum: 0 });
    const fit = { ...(type && { type }), ...(role === "CUSTOMER" && { customerId }) };
    const items = await deps.store.forTenant(call.tenantId).listPayables(fit, request.cursor, size + 1);
    const shown = items.slice(0, size);
    const now = await nowOf(deps, call);
    const nextCursor = items.length > size ? (shown.at(-1)?.payableId ?? "") : "";
    return { payables: shown.map((item) => payableToWire(item, now)), nextCursor };
  };
}

/** Whoever asked for the money takes it back; staff takes back bills and orders. */
export function cancelPayable(deps: WalletDeps) {
  return async ({ payableId }: CancelPayableRequest, call: Call): Promise<CancelPayableResponse> => {
    const { role, userId } = requireUser(call);
    const item = await find(deps, payableId, call);
    const isOwn = item.createdBy === userId;
    const isStaffs = role !== "CUSTOMER" && issuedTypes.some((type) => type === item.type);
    if (!isOwn && !isStaffs) throw new Refusal("FORBIDDEN", "only who asked for it takes it back");
    const wallet = deps.store.forTenant(call.tenantId);
    if (item.status !== "CANCELLED" && !(await wallet.movePayable(payableId, "OPEN", "CANCELLED"))) {
      const code = item.status === "OPEN" || item.status === "PAYING" ? "PAYABLE_NOT_OPEN" : "PAYABLE_ALREADY_PAID";
      throw new Refusal(code, "a payment has it");
    }
    return { payable: payableToWire({ ...item, status: "CANCELLED" }, await nowOf(deps, call)) };
  };
}

async function find({ store }: WalletDeps, payableId: string, call: Call): Promise<PayableItem> {
  const item = await store.forTenant(call.tenantId).findPayable(textFromWire(payableId, "payableId"));
  if (item === undefined) throw new Refusal("PAYABLE_NOT_FOUND", "no such payable");
  const { role, customerId = "" } = requireUser(call);
  const isOpenToAll = item.payerCustomerId === undefined;
  if (role === "CUSTOMER" && !isOpenToAll && ![item.payerCustomerId, item.payeeCustomerId].includes(customerId)) {
    throw new Refusal("FORBIDDEN", "this is between other customers");
  }
  return item;
}

function typeFromWire(text: string): PayableItemType | undefined {
  if (text === "") return undefined;
  const found = itemTypes.find((type) => type === text);
  if (found === undefined) throw invalidInput("type", `must be one of ${itemTypes.join(", ")}`);
  return found;
}
