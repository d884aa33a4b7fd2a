import type { Corridor as WireCorridor, PutCorridorRequest } from "../../../proto/gen/remittance/v1/remittance.js";
import { isCountry, toAlpha3 } from "../../kernel/codes/countries.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { invalidInput } from "../../kernel/refusal.js";
import {
  checkCorridor,
  payeeCheckTimes,
  type Corridor,
  type CorridorContent,
  type PayeeCheckTime,
} from "../domain/corridor.js";
import { methodFromWire, methodToWire, methodsFromWire } from "./fields.js";

/** Refuses INVALID_INPUT naming every fault. */
export function corridorFromWire({ corridor }: PutCorridorRequest): CorridorContent {
  if (corridor === undefined) throw invalidInput("corridor", "is required");
  const { version: _version, deliveries, otherFees, ...content } = corridor;
  const checked = checkCorridor({
    ...content,
    deliveryMethods: methodsFromWire(corridor.deliveryMethods, "corridor.deliveryMethods"),
    fees: corridor.fees.map(({ tiers, category, ...fee }, index) => ({
      ...withoutUndefined(fee),
      ...(tiers.length > 0 && { tiers }),
      ...(category !== "" && { category }),
      deliveryMethods: methodsFromWire(fee.deliveryMethods, `corridor.fees[${index}].deliveryMethods`),
    })),
    ...(otherFees.length > 0 && {
      otherFees: otherFees.map((fee, index) => ({
        ...fee,
        deliveryMethods: methodsFromWire(fee.deliveryMethods, `corridor.otherFees[${index}].deliveryMethods`),
      })),
    }),
    ...(deliveries.length > 0 && {
      deliveries: deliveries.map(({ deliveryDays, payeeCheck, ...delivery }, index) => ({
        ...withoutUndefined(delivery),
        ...(deliveryDays !== undefined && { deliveryDays }),
        ...payeeCheckFromWire(payeeCheck, `corridor.deliveries[${index}].payeeCheck`),
        method: methodFromWire(delivery.method, `corridor.deliveries[${index}].method`),
      })),
    }),
  });
  const country = (text: string) => (isCountry(text) ? toAlpha3(text, "corridor") : text);
  return {
    ...checked,
    originCountry: country(checked.originCountry),
    receivingCountry: country(checked.receivingCountry),
  };
}

/** OFF is as good as absent. Refuses INVALID_INPUT. */
function payeeCheckFromWire(text: string, path: string): { payeeCheck?: PayeeCheckTime } {
  const payeeCheck = payeeCheckTimes.find((one) => one === (text || "OFF"));
  if (payeeCheck === undefined) throw invalidInput(path, `must be one of ${payeeCheckTimes.join(", ")}`);
  return payeeCheck === "OFF" ? {} : { payeeCheck };
}

type Limited = { minimumMinor?: bigint | undefined; maximumMinor?: bigint | undefined };

/** Optional limits of a message as absent members. */
function withoutUndefined<T extends Limited>({ minimumMinor, maximumMinor, ...rest }: T) {
  return {
    ...rest,
    ...(minimumMinor !== undefined && { minimumMinor }),
    ...(maximumMinor !== undefined && { maximumMinor }),
  };
}

export function corridorToWire(corridor: Corridor): WirePartial<WireCorridor> {
  return {
    ...corridor,
    deliveries: (corridor.deliveries ?? []).map((delivery) => ({ ...delivery, method: methodToWire(delivery.method) })),
    otherFees: (corridor.otherFees ?? []).map((fee) => ({
      ...fee,
      deliveryMethods: fee.deliveryMethods.map(methodToWire),
    })),
    deliveryMethods: corridor.deliveryMethods.map(methodToWire),
    fees: corridor.fees.map((fee) => ({ ...fee, deliveryMethods: fee.deliveryMethods.map(methodToWire) })),
  };
}
