import { NewAccount } from "../../../proto/gen/ledger/v1/ledger.js";
import { MakePaymentRequest } from "../../../proto/gen/wallet/v1/wallet.js";
import { fingerprintOf } from "./fingerprint.js";

const request = MakePaymentRequest.fromPartial({
  accountId: "a",
  totalCheckoutAmount: "25.00",
  idempotencyKey: "k1",
  password: "one",
  otp: "123456",
});
const omit: (keyof MakePaymentRequest)[] = ["idempotencyKey", "password", "otp", "pin"];

test("is equal for another key, password or code", () => {
  const corrected = { ...request, idempotencyKey: "k2", password: "two", otp: "654321", pin: "1" };
  expect(fingerprintOf(MakePaymentRequest, corrected, omit)).toBe(fingerprintOf(MakePaymentRequest, request, omit));
});

test("differs for anything else", () => {
  for (const change of [{ accountId: "b" }, { totalCheckoutAmount: "25" }, { paymentGatewayRef: "r" }]) {
    const other = fingerprintOf(MakePaymentRequest, { ...request, ...change }, omit);
    expect(other).not.toBe(fingerprintOf(MakePaymentRequest, request, omit));
  }
});

test("is equal whatever the order of fields and of a map's keys", () => {
  const one = NewAccount.fromPartial({ accountId: "a", metadata: { a: "1", b: "2", "10": "3" } });
  const two = NewAccount.fromPartial({ metadata: { b: "2", a: "1", "10": "3" }, accountId: "a" });
  expect(fingerprintOf(NewAccount, one, [])).toBe(fingerprintOf(NewAccount, two, []));
  expect(fingerprintOf(NewAccount, one, [])).toMatch(/^[0-9a-f]{64}$/);
});
