import type { ListHeldArrivalsRequest, ListHeldArrivalsResponse } from "../../../proto/gen/wallet/v1/money_in.js";
import type { Call } from "../../kernel/grpc/context.js";
import { invalidInput } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { heldToWire } from "../wire/held-arrivals.js";
import type { WalletDeps } from "./deps.js";

export function listHeldArrivals({ store }: Pick<WalletDeps, "store">) {
  return async (request: ListHeldArrivalsRequest, call: Call): Promise<ListHeldArrivalsResponse> => {
    const size = request.pageSize || 20;
    if (size < 1 || size > 100) throw invalidInput("pageSize", "must be 1 to 100");
    const cursor = textFromWire(request.cursor, "cursor", { minimum: 0, maximum: 255 });
    const found = await store.forTenant(call.tenantId).listHeld({ heldOnly: !request.all }, cursor, size + 1);
    const page = found.slice(0, size);
    const nextCursor = found.length > size ? (page.at(-1)?.heldId ?? "") : "";
    return { arrivals: page.map(heldToWire), nextCursor };
  };
}
