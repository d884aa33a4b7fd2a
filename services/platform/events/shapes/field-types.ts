// Which member of JSON may stand for which field of a message: what does not fit does not compile.
import type { JsonNumber } from "../../../kernel/json.js";

/** What ts-proto generates for a message. */
export interface Message<W> {
  fromPartial(object: never): W;
}

export interface WireMoney {
  amountMinor: bigint;
  currency: string;
}

type Given<T> = Exclude<T, undefined>;

/** A message may have an amount and a currency among other fields. */
type IsMoney<V> = V extends WireMoney ? (keyof V extends keyof WireMoney ? true : false) : false;

/** What a member may be in JSON by what it is in a message. */
type JsonOf<V> = V extends Date
  ? string
  : IsMoney<V> extends true
    ? string | JsonNumber | { amount: string; currency: string }
    : V extends Uint8Array
      ? string
      : V extends bigint
        ? bigint | number
        : V extends readonly (infer Item)[]
          ? readonly JsonOf<Item>[]
          : V extends string
            ? string
            : V extends number | boolean
              ? V
              : object;

/** A field of a message, or one of a message inside, two deep. */
type PathsOf<W, Deeper extends 0[] = [0, 0]> = {
  [K in keyof W & string]:
    | K
    | (Deeper extends [0, ...infer Rest extends 0[]]
        ? Given<W[K]> extends Date | readonly unknown[] | Uint8Array
          ? never
          : Given<W[K]> extends object
            ? `${K}.${PathsOf<Given<W[K]>, Rest>}`
            : never
        : never);
}[keyof W & string];

type ValueAt<W, P> = P extends keyof W
  ? W[P]
  : P extends `${infer K}.${infer Rest}`
    ? K extends keyof W
      ? ValueAt<Given<W[K]>, Rest>
      : never
    : never;

type PathTo<W, J> = {
  [P in PathsOf<W>]: Given<J> extends JsonOf<Given<ValueAt<W, P>>> ? P : never;
}[PathsOf<W>];

/** Where a member comes from that has another name or form in the message. */
export type FieldOf<W, J> =
  | PathTo<W, J>
  /**
   * Minor units, in the currency at a path, or else of the object that they are in; left out of an
   * answer where the text `unless` is empty.
   */
  | { minor: PathTo<W, bigint>; currency?: PathsOf<W>; unless?: PathTo<W, string> }
  /** An object of members of this very message; where it may be absent, its first one is empty. */
  | (Given<J> extends object ? { group: FieldsOf<Given<J>, W> } : never)
  | {
      field: PathTo<W, J>;
      /** What goes to the service where the caller leaves it out. */
      absent?: [Given<J>] extends [never] ? string : Given<J>;
      /** Where the currency lies of amounts in it that name none. */
      currency?: PathsOf<W>;
    }
  /** What only answers have. */
  | ((wire: W) => J)
  /** What is put together otherwise, of the member and of all. */
  | { from: (wire: W) => J; to: (json: Given<J>, all: Readonly<Record<string, unknown>>) => Partial<W> };

/** Of an object without members, any text would be a name; `size` is the pageSize of a message. */
export type Unnamed<J, W> = string extends keyof J
  ? never
  : {
      [K in keyof J]-?: K extends keyof W
        ? Given<J[K]> extends JsonOf<Given<W[K]>>
          ? never
          : K
        : K extends "size"
          ? "pageSize" extends keyof W
            ? never
            : K
          : `${K & string}Minor` extends keyof W
            ? Given<J[K]> extends string | JsonNumber
              ? never
              : K
            : K;
    }[keyof J];

/** Members that the message has by no such name, or in another form, must be named. */
export type FieldsOf<J, W> = { [K in Unnamed<J, W>]: FieldOf<W, J[K]> } & {
  [K in keyof J]?: FieldOf<W, J[K]>;
};

/** `fields` may be left out where every member has its field. */
export type Naming<J, W> = [Unnamed<J, W>] extends [never] ? { fields?: FieldsOf<J, W> } : { fields: FieldsOf<J, W> };

declare const message: unique symbol;

/** A schema that says by itself how its members lie in a message. */
export interface Whole<W> {
  readonly [message]: W;
}
