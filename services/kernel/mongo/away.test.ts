import { mongo, MongooseError } from "mongoose";
import { isMongoAway } from "./away.js";

test.each([
  ["a connection that broke", new mongo.MongoNetworkError("connection 1 closed")],
  ["no primary to be found", Object.assign(new Error("no primary"), { name: "MongoServerSelectionError" })],
  ["a primary that stepped down", new mongo.MongoServerError({ message: "not primary", code: 10107 })],
  ["a member that has just started", new mongo.MongoServerError({ message: "no keys found", code: 211 })],
  ["a read under which it was restarted", new mongo.MongoServerError({ message: "cursor not found", code: 43 })],
  [
    "a write that the server could not do for now",
    new mongo.MongoServerError({ message: "later", code: 64, errorLabels: ["RetryableWriteError"] }),
  ],
  ["a socket that was closed while writing", Object.assign(new Error("write EPIPE"), { code: "EPIPE" })],
  [
    "mongoose that has waited for a connection",
    new MongooseError("Connection operation buffering timed out after 10000ms"),
  ],
  ["a fault that one of these caused", new Error("insert failed", { cause: new mongo.MongoNetworkError("gone") })],
])("%s is MongoDB being away", (_name, error) => {
  expect(isMongoAway(error)).toBe(true);
});

test.each([
  ["a duplicate key", new mongo.MongoServerError({ message: "E11000", code: 11000 })],
  ["a transaction that nobody knows", new mongo.MongoServerError({ message: "no such transaction", code: 251 })],
  ["another fault of mongoose", new MongooseError("no such model")],
  ["a bug", new TypeError("undefined is not a function")],
  ["something else with a code like it", Object.assign(new Error("odd"), { code: 91 })],
  ["another service whose socket was closed", new Error("fetch failed", { cause: { code: "ECONNRESET" } })],
  ["no error at all", "MongoNetworkError"],
])("%s is not", (_name, error) => {
  expect(isMongoAway(error)).toBe(false);
});
