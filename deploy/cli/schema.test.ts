import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe as describeName, listRpcs } from "./describe.js";
import { answerToJson, requestFromJson } from "./messages.js";
import { loadSchema, matches, type Schema } from "./schema.js";

const shop = `
syntax = "proto3";
package shop.v1;
import "google/protobuf/timestamp.proto";
import "google/protobuf/duration.proto";
import "common/v1/money.proto";
service ShopService {
  rpc Order(OrderRequest) returns (OrderResponse);
}
enum Speed { SPEED_UNSPECIFIED = 0; SPEED_FAST = 1; }
message Line { string article_id = 1; int64 amount_minor = 2; uint32 count = 3; }
message OrderRequest {
  repeated Line lines = 1;
  Speed speed = 2;
  google.protobuf.Timestamp due_at = 3;
  google.protobuf.Duration patience = 4;
  map<string, Line> by_name = 5;
  bytes seal = 6;
  bool gift = 7;
  common.v1.Money price = 8;
  optional string note = 9;
}
message OrderResponse { OrderRequest order = 1; oneof result { string receipt = 2; string refusal = 3; } }
`;
const money = `
syntax = "proto3";
package common.v1;
message Money { int64 amount_minor = 1; string currency = 2; }
`;

let folder: string;
let schema: Schema;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "manilla-proto-"));
  for (const [name, text] of Object.entries({ shop, common: money })) {
    await mkdir(join(folder, name, "v1"), { recursive: true });
    await writeFile(join(folder, name, "v1", name === "shop" ? "shop.proto" : "money.proto"), text);
  }
  schema = loadSchema(folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function roundTrip(json: string): unknown {
  const rpc = schema.rpcs.get("shop.v1.ShopService/Order");
  if (!rpc) throw new Error("the rpc was not loaded");
  const bytes = rpc.definition.requestSerialize(requestFromJson(schema, rpc.request, json));
  return answerToJson(schema, rpc.request, rpc.definition.requestDeserialize(bytes));
}

test("carries every kind of field to the wire and back", () => {
  const order = {
    lines: [{ articleId: "a", amountMinor: "9223372036854775807", count: 4294967295 }],
    speed: "SPEED_FAST",
    dueAt: "2026-11-21T09:30:00.250Z",
    patience: "1.5s",
    byName: { first: { articleId: "b", amountMinor: "-5", count: 0 } },
    seal: "AAEC",
    gift: true,
    price: { amountMinor: "2500", currency: "USD" },
    note: "ring twice",
  };
  expect(roundTrip(JSON.stringify(order))).toEqual(order);
});

test("keeps 64-bit integers exact when they are written as numbers", () => {
  expect(roundTrip('{"price":{"amountMinor":9007199254740993,"currency":"USD"}}')).toMatchObject({
    price: { amountMinor: "9007199254740993" },
  });
});

test("accepts the names as the .proto files spell them", () => {
  expect(roundTrip('{"due_at":"2026-01-01T00:00:00Z","by_name":null}')).toMatchObject({
    dueAt: "2026-01-01T00:00:00.000Z",
  });
});

test.each([
  ['{"lines":[{"articleId":5}]}', "lines[0].articleId: must be a string"],
  ['{"lines":{}}', "lines: must be an array"],
  ['{"speed":"FAST"}', "speed: must be one of SPEED_UNSPECIFIED, SPEED_FAST"],
  ['{"price":{"amountMinor":"9223372036854775808"}}', "price.amountMinor: must be an int64"],
  ['{"price":{"amountMinor":2.5}}', "price.amountMinor: must be an int64"],
  ['{"price":{"amount":"1"}}', "price.amount: common.v1.Money has no such field, only amountMinor, currency"],
  ['{"lines":[{"count":-1}]}', "lines[0].count: must be an uint32"],
  ['{"dueAt":"tomorrow"}', "dueAt: must be a time such as 2026-11-21T09:30:00Z"],
  ['{"patience":"5"}', "patience: must be a duration such as 90s or 1.5s"],
  ['{"seal":"?"}', "seal: must be base64"],
  ['{"gift":"yes"}', "gift: must be a bool"],
  ["[]", "the request: must be an object"],
])("names the path of a fault: %s", (json, message) => {
  expect(() => requestFromJson(schema, "shop.v1.OrderRequest", json)).toThrow(message);
});

test("says that a request is not JSON", () => {
  expect(() => requestFromJson(schema, "shop.v1.OrderRequest", "{")).toThrow(/^the request is not JSON: /);
});

test("leaves what is absent out of an answer", () => {
  const rpc = schema.rpcs.get("shop.v1.ShopService/Order");
  const bytes = rpc?.definition.responseSerialize({ receipt: "r" }) as Buffer;
  expect(answerToJson(schema, "shop.v1.OrderResponse", rpc?.definition.responseDeserialize(bytes))).toEqual({
    receipt: "r",
  });
});

test("lists and describes what the .proto files hold, by full name or by its end", () => {
  expect(listRpcs(schema)).toBe("shop.v1.ShopService/Order");
  expect(listRpcs(schema, "nothing")).toBe("");
  expect(describeName(schema, "ShopService")).toContain("Order(shop.v1.OrderRequest) returns (shop.v1.OrderResponse)");
  const request = describeName(schema, "OrderRequest");
  for (const line of ["lines: list of shop.v1.Line", "byName: map of shop.v1.Line", "price: common.v1.Money"]) {
    expect(request).toContain(line);
  }
  expect(describeName(schema, "Speed")).toContain("SPEED_FAST");
  expect(describeName(schema, "ShopService/Order")).toContain("message shop.v1.OrderResponse");
  expect(describeName(schema, "Nothing")).toBeUndefined();
  expect(matches(schema.rpcs.keys(), "Order")).toEqual(["shop.v1.ShopService/Order"]);
});
