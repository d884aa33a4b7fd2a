import {
  DeliveryMethod as WireMethod,
  ProcessingMode as WireMode,
  type KeyValue as WireKeyValue,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { deliveryMethods, standardCategory, type DeliveryMethod } from "../domain/corridor.js";
import type { KeyValue } from "../domain/credit-party.js";
import type { ProcessingMode } from "../domain/transaction.js";

/** Refuses INVALID_INPUT at the path. */
export function methodFromWire(method: WireMethod, path: string): DeliveryMethod {
  const found = deliveryMethods.find((name) => method === `DELIVERY_METHOD_${name}`);
  if (found === undefined) throw invalidInput(path, `must be one of ${deliveryMethods.join(", ")}`);
  return found;
}

/** Refuses INVALID_INPUT at the path for an unknown method or one that is named twice. */
export function methodsFromWire(methods: readonly WireMethod[], path: string): DeliveryMethod[] {
  const found = methods.map((method, index) => methodFromWire(method, `${path}[${index}]`));
  const again = found.findIndex((method, index) => found.indexOf(method) !== index);
  if (again >= 0) throw invalidInput(`${path}[${again}]`, "is named twice");
  return found;
}

export function methodToWire(method: DeliveryMethod): WireMethod {
  return WireMethod[`DELIVERY_METHOD_${method}`];
}

/** At once where nothing is said. Refuses INVALID_INPUT. */
export function modeFromWire(mode: WireMode): ProcessingMode {
  switch (mode) {
    case WireMode.PROCESSING_MODE_UNSPECIFIED:
    case WireMode.PROCESSING_MODE_REAL_TIME:
      return "REAL_TIME";
    case WireMode.PROCESSING_MODE_NONE_AGGREGATION:
      return "NONE_AGGREGATION";
    case WireMode.PROCESSING_MODE_AGGREGATION:
      return "AGGREGATION";
    default:
      throw invalidInput("processingMode", "must be REAL_TIME, NONE_AGGREGATION or AGGREGATION");
  }
}

export function modeToWire(mode: ProcessingMode): WireMode {
  return WireMode[`PROCESSING_MODE_${mode}`];
}

export function pairsFromWire(pairs: readonly WireKeyValue[]): KeyValue[] {
  return pairs.map(({ key, value }) => ({ key, value }));
}

const categoryForm = /^[A-Z][A-Z0-9_]{0,39}$/;
const promoForm = /^[A-Z0-9][A-Z0-9-]{1,31}$/;

/** Absent where empty. Refuses INVALID_INPUT. */
export function categoryFromWire(text: string, path = "chargeCategory"): { category?: string } {
  if (text === "") return {};
  if (!categoryForm.test(text)) throw invalidInput(path, "must be capital letters, digits and _");
  return text === standardCategory ? {} : { category: text };
}

/** Capitals whatever was typed; absent where empty. Refuses INVALID_INPUT. */
export function promoCodeFromWire(text: string, path = "promoCode"): { promoCode?: string } {
  const code = text.trim().toUpperCase();
  if (code === "") return {};
  if (!promoForm.test(code)) throw invalidInput(path, "must be 2 to 32 letters, digits and -");
  return { promoCode: code };
}

/** 1 to 100, 20 where nothing is said. Refuses INVALID_INPUT. */
export function pageSizeFromWire(size: number, path = "pageSize"): number {
  if (size === 0) return 20;
  if (size < 0 || size > 100) throw invalidInput(path, "must be 1 to 100");
  return size;
}

const codeForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** Of a tenant's or a user's id. */
export const ownerForm = /^[\w.:-]{1,128}$/;

/** Refuses INVALID_INPUT. */
export function codeFromWire(code: string, path: string): string {
  if (codeForm.test(code)) return code;
  throw invalidInput(path, 'must be 1 to 64 letters, digits, ".", "_" or "-"');
}

/** TENANT where nothing is said. */
export function allocationFromWire(owner: string, path: string): string {
  if (owner === "") return "TENANT";
  if (!ownerForm.test(owner)) throw invalidInput(path, "must be TENANT or an agent's user id");
  return owner;
}

/** Refuses INVALID_INPUT for basis points that are not 0 to the maximum. */
export function assertBps(bps: number, maximum: number, path: string): void {
  if (bps < 0 || bps > maximum) throw invalidInput(path, `must be 0 to ${maximum}`);
}

const keyForm = /^[\x21-\x7e]{1,255}$/;

/** Refuses HEADER_REQUIRED, HEADER_INVALID for what is no idempotency key. */
export function assertKey(key: string): void {
  if (key === "") throw new Refusal("HEADER_REQUIRED", "x-idempotency-key is required");
  if (keyForm.test(key)) return;
  throw new Refusal("HEADER_INVALID", "x-idempotency-key must be 1 to 255 printable characters");
}
