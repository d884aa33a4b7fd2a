import type { LendingServiceDefinition } from "../../../proto/gen/lending/v1/lending.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { plainWeek } from "../domain/calendar.js";
import { requestedTerms, disbursementFeeOf, offerOf, type Product } from "../domain/product.js";
import { dateOf, minorOf, wholeOf } from "../wire/parse.js";
import { productFromWire } from "../wire/product.js";
import { offerToWire, productToWire } from "../wire/loans.js";
import type { LendingDeps } from "./deps.js";

const maxHolidays = 2_000;

export function productHandlers({ store, businessClock }: LendingDeps) {
  return {
    async putLoanProduct({ product: wire }, call) {
      const content = productFromWire(wire);
      const tenant = store.forTenant(call.tenantId);
      const product = await store.transaction<Product>(
        async (session) => {
          const before = await tenant.findProduct(content.productId, session);
          if (before !== undefined && before.currency !== content.currency) {
            throw new Refusal("CURRENCY_MISMATCH", `the product lends ${before.currency}`);
          }
          const next = { ...content, version: (before?.version ?? 0) + 1 };
          if (before !== undefined && isSame({ ...before, version: 0 }, { ...content, version: 0 })) return before;
          await tenant.insertProduct(next, session);
          return next;
        },
        () => tenant.findProduct(content.productId),
      );
      return { product: productToWire(product) };
    },

    async listLoanProducts(_request, call) {
      return { products: (await store.forTenant(call.tenantId).listProducts()).map(productToWire) };
    },

    async putHolidayCalendar({ calendar }, call) {
      if (calendar === undefined) throw invalidInput("calendar", "is required");
      const weekend = [...new Set(calendar.weekend.map((day) => wholeOf(day, "calendar.weekend", 1, 7)))].toSorted(
        (a, b) => a - b,
      );
      if (weekend.length > 6) throw invalidInput("calendar.weekend", "must leave a day to work");
      if (calendar.holidays.length > maxHolidays)
        throw invalidInput("calendar.holidays", `must be at most ${maxHolidays}`);
      const holidays = [
        ...new Set(calendar.holidays.map((day, at) => dateOf(day, `calendar.holidays.${at}`))),
      ].toSorted();
      await store.forTenant(call.tenantId).putCalendar({ weekend, holidays });
      return { calendar: { weekend, holidays } };
    },

    async getHolidayCalendar(_request, call) {
      const { weekend, holidays } = (await store.forTenant(call.tenantId).findCalendar()) ?? plainWeek;
      return { calendar: { weekend: [...weekend], holidays: [...holidays] } };
    },

    async quoteLoan({ productId, amount, instalments, firstDueOn }, call) {
      const tenant = store.forTenant(call.tenantId);
      const product = await tenant.findProduct(productId);
      if (product === undefined) throw new Refusal("LOAN_PRODUCT_NOT_FOUND", "no such loan product");
      const today = (await businessClock.forTenant(call.tenantId)).today().toString();
      const requested = {
        principalMinor: minorOf(amount, product.currency, "amount"),
        instalments,
        startsOn: today,
        ...(firstDueOn === "" ? {} : { firstDueOn: dateOf(firstDueOn, "firstDueOn") }),
      };
      const terms = requestedTerms(product, requested, (await tenant.findCalendar()) ?? plainWeek);
      return { offer: offerToWire(product, offerOf(terms, disbursementFeeOf(product, requested.principalMinor))) };
    },
  } satisfies Partial<Handlers<LendingServiceDefinition>>;
}

function isSame(one: Product, other: Product): boolean {
  const text = (product: Product): string =>
    JSON.stringify(product, (_key, value: unknown) => {
      if (typeof value === "bigint") return `${value}`;
      if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
      return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    });
  return text(one) === text(other);
}
