import { z } from "zod";
import { parseJson, printJson } from "../services/kernel/json.js";
import { DailyLimit, PolicyDraft, UploadDocumentPartRequest } from "../proto/gen/compliance/v1/compliance.js";
import { Application } from "../proto/gen/investment/v1/investment.js";
import { Loan as WireLoan, LoanParts } from "../proto/gen/lending/v1/loan.js";
import { WriteOffLoanResponse } from "../proto/gen/lending/v1/servicing.js";
import { Promotion as WirePromotion } from "../proto/gen/remittance/v1/remittance.js";
import { beside, codecOf, computedMembers, shape } from "./codec.js";
import { openApiDocument } from "./openapi.js";
import type { Route } from "./route.js";
import { routes } from "./operations/index.js";
import { check, decimalText, moneyNumber, type Fault } from "./schema.js";
import { Amount } from "./shapes/amount.js";

// oxlint-disable-next-line typescript/no-explicit-any -- a JSON document
const document: any = JSON.parse(JSON.stringify(openApiDocument(routes)));
const wired = routes.flatMap((route) => (route.wired ? [[route.operationId, route, route.wired] as const] : []));

const asking = wired.filter(([, , { requestCodec }]) => requestCodec);

/** A message as the other side gets it. */
function sent(type: { fromPartial: (part: never) => object; encode: any; decode: any }, part: object): object {
  return type.decode(type.encode(type.fromPartial(part as never)).finish());
}

function parsed(schema: Route["body"], value: unknown): object {
  if (!schema) return {};
  const result: { ok: true; value: unknown } | { ok: false; faults: Fault[] } = check(schema, value);
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result.value as object;
}

/** As it is printed, each instant in one way, without what is empty and what is computed. */
function text(value: unknown): object {
  return JSON.parse(printJson(value), (name, each: unknown) => {
    if (each === "" || computedMembers.has(name)) return undefined;
    return typeof each === "string" && /^\d{4}-\d\d-\d\dT/.test(each) ? new Date(each).toISOString() : each;
  }) as object;
}

/** Amounts of a request may be written in more than one way. */
function exact(json: object): object {
  return JSON.parse(JSON.stringify(json), (_name, each: unknown) =>
    typeof each === "string" && /^\d+\.\d*0$/.test(each) ? each.replace(/\.?0+$/, "") : each,
  ) as object;
}

test.each(asking)("%s: what its example asks is whole in the message, and the other way round", (_id, route, wire) => {
  const { example = {} } = route;
  const ids = Object.keys(example.from ?? {}).map((place) => [place.replace(/^params\./, ""), "an-id"]);
  const given = {
    ...parsed(route.params, { ...Object.fromEntries(ids), ...example.params }),
    ...parsed(route.query, example.query ?? {}),
    ...parsed(route.body, parseJson(JSON.stringify(example.body ?? {}))),
  };
  const codec = wire.requestCodec!;
  const back = codec.fromWire(sent(wire.request, codec.toWire(given)));
  // Path and query hold text where a message has a number.
  const meant = Object.entries(given).map(([name, value]) => [
    name,
    typeof back[name] === "number" ? Number(value) : value,
  ]);
  expect(exact(text(back))).toMatchObject(exact(text(Object.fromEntries(meant))));
});

test.each(wired)("%s: what it answers is whole in the message, and the other way round", (_id, route, wire) => {
  const operation = document.paths[route.path.replaceAll(/:(\w+)/g, "{$1}")][route.method];
  const { example } = operation.responses[200].content["application/json"];
  const answer = route.bare ? example : example.data;
  const back = wire.answerCodec.fromWire(sent(wire.response, wire.answerCodec.toWire(answer)));
  expect(text(back)).toEqual(text(answer));
});

test("a member without a field is found at start", () => {
  const promotion = z.object({ code: z.string(), colour: z.string() });
  // @ts-expect-error -- nor does it compile
  expect(() => shape(WirePromotion, promotion)).toThrow("colour: a message has no field colour");
  // @ts-expect-error -- nor does what the field does not hold
  shape(WirePromotion, z.object({ code: z.string(), validFrom: z.boolean() }));
  // @ts-expect-error -- nor does a field that is misspelt
  expect(() => shape(WirePromotion, promotion, { colour: "cod" })).toThrow("colour: a message has no field cod");
});

test("money goes in minor units of the currency that is said beside it, and is refused by its member", () => {
  const fields = { minimumAmount: "minimum", minimumCurrency: "minimum.currency" } as const;
  const members = { minimumAmount: decimalText.optional(), minimumCurrency: z.string().optional() };
  const codec = codecOf(members, WirePromotion.fromPartial({}), fields);
  const wire = codec.toWire({ minimumAmount: "12.5", minimumCurrency: "USD" });
  expect(wire).toEqual({ minimum: { amountMinor: 1_250n, currency: "USD" } });
  expect(codec.fromWire(wire)).toEqual({ minimumAmount: "12.50", minimumCurrency: "USD" });
  expect(codec.toWire({ minimumCurrency: "USD" })).toEqual({});
  expect(() => codec.toWire({ minimumAmount: "1.234", minimumCurrency: "USD" })).toThrow("minimumAmount");
});

test("amounts without a currency are in that of what holds them, by name in minor units, numbers among them", () => {
  const parts = shape(LoanParts, z.object({ principal: decimalText, fees: decimalText }));
  const loan = codecOf(
    {
      currency: z.string(),
      amount: moneyNumber,
      outstandingBalance: decimalText,
      next: decimalText.optional(),
      outstanding: parts,
    },
    WireLoan.fromPartial({}),
    {
      outstandingBalance: { minor: "outstanding.principalMinor" },
      next: { minor: "nextDueMinor", unless: "nextDueOn" },
    },
  );
  const json = { currency: "JPY", amount: 600, outstanding: { principal: "500", fees: "7" } };
  const wire = loan.toWire({ ...json, outstandingBalance: "500", next: "20" });
  const outstanding = { principalMinor: 500n, feesMinor: 7n };
  expect(wire).toEqual({ currency: "JPY", amountMinor: 600n, outstanding, nextDueMinor: 20n });
  expect(text(loan.fromWire(sent(WireLoan, wire)))).toEqual(json);
  const later = { ...wire, nextDueOn: "2026-12-10" };
  expect(loan.fromWire(sent(WireLoan, later))).toMatchObject({ outstandingBalance: "500", next: "20" });
});

test("an object of members of the message itself is absent where its first one is empty", () => {
  const refusal = z.object({ code: z.string(), message: z.string() }).optional();
  const fields = { refusal: { group: { code: "refusalCode", message: "refusalMessage" } } } as const;
  const codec = codecOf({ refusal }, Application.fromPartial({}), fields);
  const json = { refusal: { code: "SOLD_OUT", message: "no units are left" } };
  expect(codec.fromWire(sent(Application, codec.toWire(json)))).toEqual(json);
  expect(codec.fromWire(sent(Application, {}))).toEqual({});
});

test("what lies beside a shape in an answer is found at start", () => {
  const inner = shape(LoanParts, z.object({ fees: decimalText }));
  const whole = inner.extend({ approval: z.string() });
  // @ts-expect-error -- nor does it compile
  expect(() => beside(WriteOffLoanResponse, "loan", inner, whole)).toThrow("approval: a message has no field approval");
});

test("money that is an object of its own is refused by its place in a list", () => {
  const limit = shape(DailyLimit, z.object({ amount: Amount }));
  const codec = codecOf({ dailyLimits: z.array(limit) }, PolicyDraft.fromPartial({}));
  const json = { dailyLimits: [{ amount: { amount: "12.50", currency: "USD" } }] };
  const wire = codec.toWire(json);
  expect(wire).toEqual({ dailyLimits: [{ amount: { amountMinor: 1_250n, currency: "USD" } }] });
  expect(codec.fromWire(wire)).toEqual(json);
  const wrong = { dailyLimits: [...json.dailyLimits, { amount: { amount: "1.234", currency: "USD" } }] };
  expect(() => codec.toWire(wrong)).toThrow("dailyLimits.1.amount.amount: must have at most 2 decimals");
});

test("bytes are base64, and text that stands for none of them is refused", () => {
  const codec = codecOf({ content: z.string() }, UploadDocumentPartRequest.fromPartial({}));
  expect(codec.fromWire(codec.toWire({ content: "JVBERi0=" }))).toEqual({ content: "JVBERi0=" });
  expect(() => codec.toWire({ content: "=" })).toThrow("content: must not be empty");
});

test("what only answers have comes from the whole message", () => {
  const members = { code: z.string(), isOver: z.boolean() };
  const codec = codecOf(members, WirePromotion.fromPartial({}), { isOver: ({ uses }) => uses > 0 });
  expect(codec.fromWire({ code: "SPRING", uses: 1 })).toEqual({ code: "SPRING", isOver: true });
  expect(codec.toWire({ code: "SPRING", isOver: true })).toEqual({ code: "SPRING" });
});
