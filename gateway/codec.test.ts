import { z } from "zod";
import { JsonNumber, printJson } from "../services/kernel/json.js";
import { DailyLimit, PolicyDraft, UploadDocumentPartRequest } from "../proto/gen/compliance/v1/compliance.js";
import { Account, AccountFlag, Verification } from "../proto/gen/ledger/v1/ledger.js";
import { AmountCeilings } from "../proto/gen/identity/v1/identity.js";
import { Application } from "../proto/gen/investment/v1/investment.js";
import { Loan as WireLoan, LoanParts } from "../proto/gen/lending/v1/loan.js";
import { WriteOffLoanResponse } from "../proto/gen/lending/v1/servicing.js";
import {
  Corridor as WireCorridor,
  FeeRule as WireFeeRule,
  Promotion as WirePromotion,
} from "../proto/gen/remittance/v1/remittance.js";
import { beside, codecOf, enumOf, shape, shapeCodec } from "./codec.js";
import { openApiDocument } from "./openapi.js";
import type { Route } from "./route.js";
import { routes } from "./operations/index.js";
import { decimalText, instant, moneyNumber } from "./schema.js";
import { forms, type Codec } from "../services/platform/events/shapes/leaf-codecs.js";
import { protoOf } from "../services/platform/events/shapes/message-fields.js";
import { Amount } from "./shapes/compliance.js";

// oxlint-disable typescript/no-explicit-any -- values of any schema
const document: any = JSON.parse(JSON.stringify(openApiDocument(routes)));
const wired = routes.flatMap((route) => (route.wired ? [[route.operationId, route, route.wired] as const] : []));

const asking = wired.filter(([, , { requestCodec }]) => requestCodec);

/** A message as the other side gets it. */
function sent(type: { fromPartial: (part: never) => object; encode: any; decode: any }, part: object): object {
  return type.decode(type.encode(type.fromPartial(part as never)).finish());
}

/** As it is printed, each instant in one way, and without what is empty. */
function text(value: unknown): object {
  return JSON.parse(printJson(value), (_name, each: unknown) => {
    // A query is text.
    if (typeof each === "string" && /^\d+(\.\d+)?$/.test(each)) return Number(each);
    if (each === "" || each === "false") return undefined;
    if (each === true) return "true";
    return typeof each === "string" && /^\d{4}-\d\d-\d\dT/.test(each) ? new Date(each).toISOString() : each;
  }) as object;
}

/** A value of every leaf; of an enum, and of what may be one thing or another, that of a round. */
function valueOf(schema: z.ZodType, round: number, example: any, name = "", outer: any = {}): any {
  const form = forms.get(schema);
  if (form?.codec === forms.get(instant)!.codec) return "2026-11-21T10:15:00.000Z";
  const own: any = schema.meta() ?? {};
  const { id: _id, ...meta } = { ...outer, ...own, ...own.override };
  const { def } = schema._zod as any;
  switch (def.type) {
    case "optional":
    case "nullable":
      return round < 0 ? undefined : valueOf(def.innerType, round, example, name, meta);
    case "pipe": {
      const value = valueOf(def.in, round, example, name, meta);
      return value instanceof JsonNumber ? value.text : value;
    }
    case "object":
      // Members that go by functions of their own may hang together.
      if (shapeCodec(schema)?.byHand?.length && example !== undefined) return bothWays(schema, example);
      return membersOf(def.shape, round, example, shapeCodec(schema));
    case "array":
      return [valueOf(def.element, round, example?.[0], name)].filter((item) => item !== undefined);
    case "union":
      return valueOf(def.options[Math.max(round, 0) % def.options.length], round, example, name);
    case "enum":
      return Object.values(def.entries)[Math.max(round, 0) % Object.keys(def.entries).length];
    case "literal":
      return def.values[0];
    case "boolean":
      return true;
    case "bigint":
      return 7n;
    case "record":
      return { reference: "text" };
  }
  if (meta.type === "number") return new JsonNumber("12.34");
  if (def.type === "number" || meta.type === "integer") return 7;
  const names = form?.names;
  if (names !== undefined) return names[Math.max(round, 0) % names.length];
  // Text may stand for bytes, or for a number.
  const candidates = [...(meta.examples ?? []), ...(/currency/i.test(name) ? ["USD"] : []), base64(name), "7", "NGA"];
  return candidates.find((value) => schema.safeParse(value).success) ?? base64(name);
}

const base64 = (name: string) => Buffer.from(name).toString("base64");

/** What goes by functions of its own is not whatever its schema allows: that of the example. */
function membersOf(members: z.ZodRawShape, round: number, example: any, codec: Partial<Codec> = {}): any {
  const { oneWay = [], byHand = [] } = codec;
  const names = Object.keys(members).filter((name) => !oneWay.includes(name));
  const made = (name: string): unknown =>
    byHand.includes(name) ? example?.[name] : valueOf(members[name] as z.ZodType, round, example?.[name], name);
  return Object.fromEntries(names.map((name) => [name, made(name)]));
}

/** Without what only answers have. */
function bothWays(schema: z.ZodType, value: any): any {
  const { def } = schema._zod as any;
  if (value === undefined || value === null) return undefined;
  if (def.type === "optional" || def.type === "nullable") return bothWays(def.innerType, value);
  if (def.type === "array") return value.map((item: unknown) => bothWays(def.element, item));
  if (def.type !== "object") return value;
  const { oneWay = [] } = shapeCodec(schema) ?? {};
  const members = Object.entries(def.shape as z.ZodRawShape).filter(([name]) => !oneWay.includes(name));
  return Object.fromEntries(members.map(([name, member]) => [name, bothWays(member as z.ZodType, value[name])]));
}

const rounds = [-1, 0, 1, 2, 3, 4, 5, 6];

test.each(asking)("%s: whatever it asks is whole in the message, and the other way round", (_id, route, wire) => {
  const codec = wire.requestCodec!;
  const members = { ...route.params?.shape, ...route.query?.shape, ...route.body?.shape };
  for (const round of rounds) {
    const given = membersOf(members, round, { ...route.example?.query, ...route.example?.body }, codec);
    const back = codec.fromWire(sent(wire.request, codec.toWire(given)));
    expect(text(back)).toMatchObject(text(given));
  }
});

/** What the document shows. */
function shownAnswer(route: Route): any {
  const operation = document.paths[route.path.replaceAll(/:(\w+)/g, "{$1}")][route.method];
  const { example } = operation.responses[200].content["application/json"];
  return route.bare ? example : example.data;
}

test.each(wired)("%s: whatever it answers is whole in the message, and the other way round", (_id, route, wire) => {
  const shown = shownAnswer(route);
  const isShape = shapeCodec(route.answer) !== undefined || !(route.answer instanceof z.ZodObject);
  for (const round of rounds) {
    const answer: any = isShape
      ? valueOf(route.answer, round, shown)
      : membersOf((route.answer as z.ZodObject).shape, round, shown, wire.answerCodec);
    const back = wire.answerCodec.fromWire(sent(wire.response, wire.answerCodec.toWire(answer)));
    expect(text(back)).toMatchObject(text(answer));
  }
});

test.each(wired)("%s: what it answers is whole in the message, and the other way round", (_id, route, wire) => {
  const answer = bothWays(route.answer, shownAnswer(route));
  const back = wire.answerCodec.fromWire(sent(wire.response, wire.answerCodec.toWire(answer)));
  expect(text(back)).toMatchObject(text(answer));
});

/** A message with one more field in all that it holds, as a later service may send it. */
function grown(value: any): any {
  if (Array.isArray(value)) return value.map(grown);
  if (value === null || typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, grown(field)]);
  return { ...Object.fromEntries(fields), score: 97 };
}

/** Where a value has members that its schema does not. */
function beyond(schema: z.ZodType, value: any, path = "answer"): string[] {
  const { def } = schema._zod as any;
  if (value === undefined || value === null) return [];
  if (def.type === "optional" || def.type === "nullable") return beyond(def.innerType, value, path);
  if (def.type === "array") return value.flatMap((item: unknown) => beyond(def.element, item, path));
  if (def.type !== "object") return [];
  return Object.keys(value).flatMap((name) => {
    const member = (def.shape as z.ZodRawShape)[name] as z.ZodType | undefined;
    return member ? beyond(member, value[name], `${path}.${name}`) : [`${path}.${name}`];
  });
}

test.each(wired)("%s: what a message gains is told to nobody before its answer says so", (_id, route, wire) => {
  const answer = bothWays(route.answer, shownAnswer(route));
  const message = grown(sent(wire.response, wire.answerCodec.toWire(answer)));
  expect(beyond(route.answer, wire.answerCodec.fromWire(message))).toEqual([]);
});

test("a member without a field is found at start", () => {
  const promotion = z.object({ code: z.string(), colour: z.string() });
  // @ts-expect-error -- nor does it compile
  expect(() => shape(WirePromotion, promotion)).toThrow("colour: a message has no field colour");
  // @ts-expect-error -- nor does what the field does not hold
  expect(() => shape(WirePromotion, z.object({ code: z.string(), validFrom: z.boolean() }))).toThrow("validFrom");
  // @ts-expect-error -- nor does a field that is misspelt
  expect(() => shape(WirePromotion, promotion, { colour: "cod" })).toThrow("colour: a message has no field cod");
});

test.each([
  ["a member of what a list holds", { faults: z.array(z.object({ colour: z.string() })) }, "no field colour"],
  ["what a list holds being text", { faults: z.array(z.string()) }, "faults: its field is a message"],
  ["an object where no message is", { verificationId: z.object({}) }, "verificationId: its field is no message"],
  ["a shape of another message", { faults: z.array(Amount) }, "faults: a shape of another message"],
  ["a time that is text", { startedAt: z.string() }, "startedAt: a time is an instant"],
])("%s is found at start", (_what, members, message) => {
  expect(() => codecOf(members, protoOf(Verification))).toThrow(message);
});

test("an enum in a list says its names", () => {
  expect(() => codecOf({ flags: z.array(z.string()) }, protoOf(Account))).toThrow("flags: an enum");
  const flags = codecOf({ flags: z.array(enumOf(AccountFlag)) }, protoOf(Account));
  expect(flags.toWire({ flags: ["CLOSED"] })).toEqual({ flags: ["ACCOUNT_FLAG_CLOSED"] });
});

test("an amount whose currency nothing says is refused, and money in a list is found at start", () => {
  const codec = codecOf({ minimumAmount: decimalText }, protoOf(WirePromotion), { minimumAmount: "minimum" });
  expect(() => codec.toWire({ minimumAmount: "12.5" })).toThrow("currency");
  expect(codec.fromWire({ minimum: { amountMinor: 5n, currency: "JPY" } })).toEqual({ minimumAmount: "5" });
  expect(() => codecOf({ ceilings: z.array(decimalText) }, protoOf(AmountCeilings))).toThrow("ceilings: money");
});

test("money goes in minor units of the currency that is said beside it, and is refused by its member", () => {
  const fields = { minimumAmount: "minimum", minimumCurrency: "minimum.currency" } as const;
  const members = { minimumAmount: decimalText.optional(), minimumCurrency: z.string().optional() };
  const codec = codecOf(members, protoOf(WirePromotion), fields);
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
    protoOf(WireLoan),
    {
      outstandingBalance: { minor: "outstanding.principalMinor" },
      next: { minor: "nextDueMinor", unless: "nextDueOn" },
    },
  );
  const json = { currency: "JPY", amount: 600, outstanding: { principal: "500", fees: "7" } };
  const wire = loan.toWire({ ...json, outstandingBalance: "500", next: "20" });
  const outstanding = { principalMinor: 500n, feesMinor: 7n };
  expect(wire).toEqual({ currency: "JPY", amountMinor: 600n, outstanding, nextDueMinor: 20n });
  expect(JSON.parse(printJson(loan.fromWire(sent(WireLoan, wire))))).toMatchObject(json);
  const later = { ...wire, nextDueOn: "2026-12-10" };
  expect(loan.fromWire(sent(WireLoan, later))).toMatchObject({ outstandingBalance: "500", next: "20" });
});

test("an object of members of the message itself is absent where its first one is empty", () => {
  const refusal = z.object({ code: z.string(), message: z.string() }).optional();
  const fields = { refusal: { group: { code: "refusalCode", message: "refusalMessage" } } } as const;
  const codec = codecOf({ refusal }, protoOf(Application), fields);
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
  const codec = codecOf({ dailyLimits: z.array(limit) }, protoOf(PolicyDraft));
  const json = { dailyLimits: [{ amount: { amount: "12.50", currency: "USD" } }] };
  const wire = codec.toWire(json);
  expect(wire).toEqual({ dailyLimits: [{ amount: { amountMinor: 1_250n, currency: "USD" } }] });
  expect(codec.fromWire(wire)).toEqual(json);
  const wrong = { dailyLimits: [...json.dailyLimits, { amount: { amount: "1.234", currency: "USD" } }] };
  expect(() => codec.toWire(wrong)).toThrow("dailyLimits.1.amount.amount: must have at most 2 decimals");
});

test("bytes are base64, and text that stands for none of them is refused", () => {
  const codec = codecOf({ content: z.string() }, protoOf(UploadDocumentPartRequest));
  expect(codec.fromWire(codec.toWire({ content: "JVBERi0=" }))).toEqual({ content: "JVBERi0=" });
  expect(() => codec.toWire({ content: "=" })).toThrow("content: must not be empty");
});

test("what only answers have comes from the whole message", () => {
  const members = { code: z.string(), isOver: z.boolean() };
  const codec = codecOf(members, protoOf(WirePromotion), { isOver: ({ uses }) => uses > 0 });
  expect(codec.fromWire({ code: "SPRING", uses: 1 })).toEqual({ code: "SPRING", isOver: true });
  expect(codec.toWire({ code: "SPRING", isOver: true })).toEqual({ code: "SPRING" });
});

test("amounts that lie in a list are in the currency that is named for them, and are refused by their place", () => {
  const fee = shape(WireFeeRule, z.object({ fixed: decimalText, minimum: decimalText.optional() }));
  const corridor = codecOf({ sendCurrency: z.string(), fees: z.array(fee) }, protoOf(WireCorridor), {
    fees: { field: "fees", currency: "sendCurrency" },
  });
  const given = { sendCurrency: "KWD", fees: [{ fixed: "1.250" }, { fixed: "0.000", minimum: "0.000" }] };
  const wire = sent(WireCorridor, corridor.toWire(given));
  expect(wire).toMatchObject({ fees: [{ fixedMinor: 1_250n }, { fixedMinor: 0n, minimumMinor: 0n }] });
  expect(corridor.fromWire(wire)).toEqual(given);
  const wrong = { sendCurrency: "USD", fees: [{ fixed: "1" }, { fixed: "1.234" }] };
  expect(() => corridor.toWire(wrong)).toThrow("fees.1.fixed");
});
