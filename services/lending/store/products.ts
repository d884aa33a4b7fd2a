import type { TenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { retryDuplicates } from "../../kernel/mongo/transaction.js";
import type { HolidayCalendar } from "../domain/calendar.js";
import type { Product } from "../domain/product.js";
import { entities, type EntityRow, type Session } from "./rows.js";

export type ProductRow = EntityRow<Product>;
export type CalendarRow = HolidayCalendar & { _id: string; tenantId: string };

export function createProductStore(
  tenantId: string,
  products: TenantCollection<ProductRow>,
  calendars: TenantCollection<CalendarRow>,
) {
  // Ids of documents are one space for all tenants; products are named by theirs.
  const idOf = (productId: string, version: number): string => `${tenantId}/${productId}:${version}`;
  const { insert, one, list } = entities(products);
  return {
    insertProduct: (product: Product, session: Session) =>
      insert(idOf(product.productId, product.version), product, session),
    findProductVersion: (productId: string, version: number) => one({ _id: idOf(productId, version) }),
    /** The latest version. */
    async findProduct(productId: string, session?: Session): Promise<Product | undefined> {
      return (await list({ productId }, { sort: { version: -1 }, limit: 1, session }))[0];
    },
    /** The latest version of each, by id. */
    async listProducts(): Promise<Product[]> {
      const all = await list({}, { sort: { productId: 1, version: -1 } });
      return all.filter((product, index) => all[index - 1]?.productId !== product.productId);
    },
    async findCalendar(): Promise<HolidayCalendar | undefined> {
      const row = await calendars.findOne({ _id: tenantId });
      return row === null ? undefined : { weekend: row.weekend, holidays: row.holidays };
    },
    async putCalendar({ weekend, holidays }: HolidayCalendar): Promise<void> {
      const change = { $set: { weekend, holidays } };
      await retryDuplicates(() => calendars.updateOne({ _id: tenantId }, change, { upsert: true }));
    },
  };
}
