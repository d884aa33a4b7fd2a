import type { Connection } from "mongoose";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import type { Product, ProductContent, ProductVersion } from "../domain/product.js";
import { contentToDocument, productFromDocument, versionFromDocument } from "./product-rows.js";
import { collections, type PositionRow, type ProductRow, type TenantRow, type VersionRow } from "./collections.js";
import { idIn, type Page, type Session } from "./types.js";

/** Products, their versions, and how many units of each are taken: by all, and by each customer. */
export function productStore(db: Connection) {
  const products = tenantCollection<ProductRow>(db, collections.products);
  const versions = tenantCollection<VersionRow>(db, collections.productVersions);
  const positions = tenantCollection<PositionRow>(db, collections.positions);
  const tenants = tenantCollection<TenantRow>(db, collections.tenants);

  return (tenantId: string) => ({
    async findProduct(productId: string, session?: Session): Promise<Product | undefined> {
      const row = await products.forTenant(tenantId).findOne({ _id: idIn(tenantId, productId) }, { session });
      return row === null ? undefined : productFromDocument(row);
    },
    async listProducts({ limit, cursor }: Page): Promise<Product[]> {
      const after = cursor === undefined ? {} : { productId: { $gt: cursor } };
      const rows = await products.forTenant(tenantId).find(after, { sort: { productId: 1 }, limit });
      return rows.map(productFromDocument);
    },
    async findVersion(productId: string, version: number): Promise<ProductVersion | undefined> {
      const row = await versions.forTenant(tenantId).findOne({ _id: idIn(tenantId, productId, version) });
      return row === null ? undefined : versionFromDocument(row);
    },
    /**
     * Writes a version, the first or a later one; the tenant's days are worked on from its first
     * product on.
     */
    async putVersion(
      content: ProductContent,
      version: number,
      stamp: { changedAt: Date; changedBy: string },
      session: Session,
    ): Promise<void> {
      const { productId } = content;
      const _id = idIn(tenantId, productId);
      const row = contentToDocument(content);
      await versions
        .forTenant(tenantId)
        .insertOne({ _id: idIn(tenantId, productId, version), ...row, version, ...stamp }, { session });
      if (version === 1) {
        await products.forTenant(tenantId).insertOne({ _id, ...row, version, unitsTaken: 0n }, { session });
        const first = { $setOnInsert: { nextRunAt: new Date(0) } };
        await tenants.forTenant(tenantId).updateOne({ _id: tenantId }, first, { session, upsert: true });
      } else {
        await products.forTenant(tenantId).updateOne({ _id }, { $set: { ...row, version } }, { session });
      }
    },
    async unitsHeldBy(productId: string, customerId: string, session?: Session): Promise<bigint> {
      const _id = idIn(tenantId, productId, customerId);
      return (await positions.forTenant(tenantId).findOne({ _id }, { session }))?.units ?? 0n;
    },
    /**
     * Takes units, or gives them back where negative, from the product. Every rule about them was
     * decided in this session.
     */
    async takeUnits(productId: string, units: bigint, session: Session): Promise<void> {
      const product = { _id: idIn(tenantId, productId) };
      await products.forTenant(tenantId).updateOne(product, { $inc: { unitsTaken: units } }, { session });
    },
    /** Adds to what the customer has of a product; negative takes away. */
    async addToPosition(productId: string, customerId: string, units: bigint, session: Session): Promise<void> {
      const _id = idIn(tenantId, productId, customerId);
      const change = { $inc: { units }, $setOnInsert: { productId, customerId } };
      await positions.forTenant(tenantId).updateOne({ _id }, change, { session, upsert: true });
    },
    streamProducts: () => products.forTenant(tenantId).stream({}, { batchSize: 500 }),
    streamPositions: () => positions.forTenant(tenantId).stream({}, { batchSize: 500 }),
  });
}
