import type { InvestmentServiceDefinition } from "../../../proto/gen/investment/v1/investment.js";
import { actorOf } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { isDuplicateKey } from "../../kernel/mongo/transaction.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { sameContent, type Product, type ProductContent } from "../domain/product.js";
import type { Session } from "../store/index.js";
import { productFromWire, productToWire } from "../wire/products.js";
import { pageFromWire, uuidFromWire } from "../wire/values.js";
import type { InvestmentDeps } from "./deps.js";

/**
 * Products: what is put again unchanged makes no new version; holdings keep the one they were
 * bought under.
 */
export function productHandlers({ store, businessClock }: InvestmentDeps) {
  return {
    async putProduct(request, call) {
      const content = productFromWire(request.product);
      const tenant = store.forTenant(call.tenantId);
      const stamp = {
        changedAt: (await businessClock.forTenant(call.tenantId, call.interactionId)).now(),
        changedBy: actorOf(call),
      };
      const put = () =>
        store.transaction(
          async (session: Session) => {
            const current = await tenant.findProduct(content.productId, session);
            if (current !== undefined && sameContent(current, content)) return current;
            checkChange(current, content);
            const version = (current?.version ?? 0) + 1;
            await tenant.putVersion(content, version, stamp, session);
            return { ...content, version, unitsTaken: current?.unitsTaken ?? 0n };
          },
          async () => {
            const current = await tenant.findProduct(content.productId);
            return current !== undefined && sameContent(current, content) ? current : undefined;
          },
        );
      const product = await put().catch((error: unknown) => {
        // Somebody else put this version first: ours is the next one, or the same.
        if (isDuplicateKey(error)) return put();
        throw error;
      });
      return { product: productToWire(product) };
    },

    async getProduct(request, call) {
      const productId = uuidFromWire(request.productId, "productId");
      const product = await store.forTenant(call.tenantId).findProduct(productId);
      if (product === undefined) throw new Refusal("NOT_FOUND", "no such investment product");
      return { product: productToWire(product) };
    },

    async listProducts(request, call) {
      const page = pageFromWire(request);
      const products = await store.forTenant(call.tenantId).listProducts(page);
      const last = products.length === page.limit ? products.at(-1) : undefined;
      return { products: products.map(productToWire), nextCursor: last?.productId ?? "" };
    },
  } satisfies Partial<Handlers<InvestmentServiceDefinition>>;
}

/** What is held is held in a currency, and not taken back by offering less. */
function checkChange(current: Product | undefined, content: ProductContent): void {
  if (current === undefined) return;
  if (current.currency !== content.currency) throw invalidInput("currency", "must stay as it is");
  if (content.unitsOffered < current.unitsTaken) {
    throw invalidInput("unitsOffered", `must not be below the ${current.unitsTaken} units that are taken`);
  }
}
