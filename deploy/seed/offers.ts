import { DeliveryMethod, PayoutPointType } from "../../proto/gen/remittance/v1/remittance.js";
import { parseMoney } from "../../services/kernel/money.js";
import type {
  DeliveryMethodName,
  FixtureCorridor,
  FixtureInvestmentProduct,
  FixturePayoutPoint,
  FixtureTenant,
} from "./fixture-schema.js";
import type { SeedTarget } from "./target.js";

/**
 * Puts a tenant's corridors, rates and payout points; `place` ends the path of a fault
 * ("/sandbox").
 */
export async function seedOffers(tenant: FixtureTenant, place: string, target: SeedTarget): Promise<void> {
  const { clients, call, step } = target;
  for (const [index, corridor] of (tenant.corridors ?? []).entries()) {
    await step(`/corridors/${index}${place}`, () => putCorridor(corridor, target));
  }
  for (const [index, rate] of (tenant.rates ?? []).entries()) {
    const request = { ...rate, source: rate.source ?? "fixture" };
    await step(`/rates/${index}${place}`, () => clients.remittance.putRate(request, call()));
  }
  for (const [index, point] of (tenant.payoutPoints ?? []).entries()) {
    await step(`/payoutPoints/${index}${place}`, () => putPayoutPoint(point, target));
  }
}

function putCorridor(corridor: FixtureCorridor, { clients, call }: SeedTarget) {
  const minor = (text: string | undefined) =>
    text === undefined ? undefined : parseMoney(text, corridor.sendCurrency).minor;
  return clients.remittance.putCorridor(
    {
      corridor: {
        ...corridor,
        deliveryMethods: methodsOf(corridor.types),
        minimumMinor: minor(corridor.minimumAmount) ?? 0n,
        maximumMinor: minor(corridor.maximumAmount) ?? 0n,
        enabled: corridor.enabled ?? true,
        fees: (corridor.fees ?? []).map((fee) => ({
          name: fee.name,
          fixedMinor: minor(fee.fixed) ?? 0n,
          rateBps: fee.rateBps ?? 0,
          minimumMinor: minor(fee.minimum),
          maximumMinor: minor(fee.maximum),
          taxBps: fee.taxBps ?? 0,
          deliveryMethods: methodsOf(fee.types ?? []),
        })),
      },
    },
    call(),
  );
}

function putPayoutPoint(
  { minimumAmount = "0", maximumAmount, type, ...rest }: FixturePayoutPoint,
  { clients, call }: SeedTarget,
) {
  const minor = (text: string) => parseMoney(text, rest.currency).minor;
  const limits = { minimumMinor: minor(minimumAmount), maximumMinor: minor(maximumAmount) };
  const point = { ...rest, ...limits, type: PayoutPointType[`PAYOUT_POINT_TYPE_${type}`], enabled: true };
  return clients.remittance.putPayoutPoint({ point }, call());
}

/** Puts an investment product. Returns the units that are left. */
export async function putInvestmentProduct(
  given: FixtureInvestmentProduct,
  { clients, call }: SeedTarget,
): Promise<bigint> {
  const { id, unitPrice, unitsOffered, tiers, penalty, currency } = given;
  const minor = (text: string) => parseMoney(text, currency).minor;
  const product = {
    productId: id,
    name: given.name,
    description: given.description ?? "",
    currency,
    unitPriceMinor: minor(unitPrice),
    unitsOffered: BigInt(unitsOffered),
    minimumUnits: BigInt(given.minimumUnits ?? 1),
    maximumUnitsPerCustomer: BigInt(given.maximumUnitsPerCustomer ?? unitsOffered),
    tiers: tiers.map(({ from, ratePercent }) => ({ fromMinor: minor(from), ratePercent })),
    compounding: given.compounding ?? "NONE",
    dayCount: given.dayCount ?? "ACT_365",
    termMonths: given.termMonths ?? 0,
    termDays: given.termDays ?? 0,
    lockInDays: given.lockInDays ?? 0,
    penalty: penalty ?? { kind: "NONE" },
    payout: given.payout ?? "AT_MATURITY",
    reinvestment: given.reinvestment ?? "NONE",
    withholdingTaxBps: given.withholdingTaxBps ?? 0,
    status: "OPEN",
  };
  const put = await clients.investment.putProduct({ product }, call());
  return put.product?.unitsLeft ?? 0n;
}

/** Delivery methods as the contract between services names them. */
export function methodsOf(names: readonly DeliveryMethodName[]): DeliveryMethod[] {
  return names.map((name) => DeliveryMethod[`DELIVERY_METHOD_${name}`]);
}
