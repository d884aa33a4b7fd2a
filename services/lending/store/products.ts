import { retryDuplicates } from "../../kernel/mongo/transaction.js";
import type { HolidayCalendar } from "../domain/calendar.js";
import type { Product } from "../domain/product.js";
import { under, type Entities, type Session } from "./rows.js";

export function createProductStore(
  tenantId: string,
  products: Entities<Product>,
  calendars: Entities<HolidayCalendar>,
) {
  // Ids of documents are one space for all tenants; products are named by theirs.
  const idOf = (productId: string, version: number): string => `${tenantId}/${productId}:${version}`;
  return {
    insertProduct: (product: Product, session: Session) =>
      products.insertOne(under(idOf(product.productId, product.version), product), { session }),
    findProductVersion: (productId: string, version: number) => products.findOne({ _id: idOf(productId, version) }),
    /** The latest version. */
    async findProduct(productId: string, session?: Session): Promise<Product | undefined> {
      return (await products.find({ productId }, { sort: { version: -1 }, limit: 1, session }))[0];
    },
    /** The latest version of each, by id. */
    async listProducts(): Promise<Product[]> {
      const all = await products.find({}, { sort: { productId: 1, version: -1 } });
      return all.filter((product, index) => all[index - 1]?.productId !== product.productId);
    },
    findCalendar: (): Promise<HolidayCalendar | undefined> => calendars.findOne({ _id: tenantId }),
    async putCalendar({ weekend, holidays }: HolidayCalendar): Promise<void> {
      const change = { $set: { weekend, holidays } };
      await retryDuplicates(() => calendars.updateOne({ _id: tenantId }, change, { upsert: true }));
    },
  };
}
