import type { operations, webhooks } from "./generated/schema.js";
import type { Call, Operation } from "./operation.js";
import type { CallOptions } from "./options.js";

type Id = keyof operations;
type JsonOf<R> = R extends { content: { "application/json": infer J } } ? J : never;
type Content<I extends Id> = JsonOf<operations[I]["responses"][keyof operations[I]["responses"]]>;

/** What an operation answers, out of its envelope. */
export type Data<I extends Id> = Content<I> extends { status: "SUCCESS"; data: infer D } ? D : Content<I>;
type Plain = string | number | bigint | boolean | null | undefined;
/** What is given may be read-only. */
type Given<T> = T extends Plain ? T : { readonly [name in keyof T]: Given<T[name]> };
export type Body<I extends Id> = Given<JsonOf<NonNullable<operations[I]["requestBody"]>>>;
export type QueryOf<I extends Id> = NonNullable<operations[I]["parameters"]["query"]>;
/** An item of a list, by the member that has the items. */
export type Item<I extends Id, K extends string> = K extends ""
  ? Data<I> extends readonly (infer T)[]
    ? T
    : never
  : Data<I> extends { [name in K]: readonly (infer T)[] }
    ? T
    : never;
/** Options of an operation that needs some of them. */
export type Needs<K extends keyof CallOptions> = CallOptions & { [name in K]-?: NonNullable<CallOptions[name]> };
export type { Call, CallOptions };

declare const methods: unique symbol;

/** Operations by the names of their methods, and the type of these methods. */
export type Group<T> = Readonly<Record<string, Operation>> & { readonly [methods]?: T };
export type Methods<G> = { readonly [name in keyof G]: G[name] extends Group<infer T> ? T : never };

type Sent<T> = T extends { post: { requestBody: infer R } } ? JsonOf<R> : never;
/** An event as a webhook brings it, told apart by `type`. */
export type WebhookEvent = Sent<webhooks[keyof webhooks]>;
