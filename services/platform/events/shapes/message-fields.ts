// What a message has, found by making it: which field is a message, a list, an enum or an int64.
import type { MessageType } from "../../../kernel/grpc/definition.js";

// oxlint-disable-next-line typescript/no-explicit-any -- any message
type Any = any;

/** A message, or one inside another: made of a part, and as the other side reads it. */
export interface Proto {
  of(part: object): Any;
  sent(part: object): Any;
}

export interface FoundField {
  /** What it is when it is not set. */
  none: unknown;
  /** The same of what is optional, and of an item where it is a list. */
  zero: unknown;
  /** Of a message, or of the items of a list of messages. */
  inner: Proto | undefined;
}

export function protoOf(type: MessageType<Any>): Proto {
  const of = (part: object) => type.fromPartial(part as never);
  return { of, sent: (part) => type.decode(type.encode(of(part)).finish()) };
}

/** The field at a path such as "details.address". Throws where there is none. */
export function fieldAt(proto: Proto, path: string, member: string): FoundField {
  const [first, ...rest] = path.split(".") as [string, ...string[]];
  const empty = proto.of({});
  if (!(first in empty)) throw new Error(`${member}: a message has no field ${path}`);
  const none = empty[first] as unknown;
  const mayHold = none === undefined || Array.isArray(none);
  const inner = mayHold ? innerOf(proto, first, Array.isArray(none)) : undefined;
  if (rest.length > 0 && inner !== undefined) return fieldAt(inner, rest.join("."), member);
  if (rest.length > 0) throw new Error(`${member}: ${first} is no message`);
  return { none, zero: inner === undefined ? zeroOf(proto, first, none) : undefined, inner };
}

/** What is no message is kept as it is, or becomes a number. */
function innerOf(proto: Proto, field: string, isList: boolean): Proto | undefined {
  const within = (make: (part: object) => Any) => (part: object) => {
    const made = make({ [field]: isList ? [part] : part })[field];
    return isList ? made[0] : made;
  };
  const inner = { of: within(proto.of), sent: within(proto.sent) };
  const part = { valueOf: () => 0n };
  const made: unknown = inner.of(part);
  return typeof made === "object" && made !== part ? inner : undefined;
}

/** Text that is sent as a number is 0, and as an enum UNRECOGNIZED; as a time it cannot be sent. */
function zeroOf({ sent }: Proto, field: string, none: unknown): unknown {
  if (none !== undefined && !Array.isArray(none)) return none;
  try {
    const zero = sent({ [field]: Array.isArray(none) ? [""] : "" })[field];
    return Array.isArray(zero) ? zero[0] : zero;
  } catch {
    return new Date(0);
  }
}

/** Reads what lies at a path of messages. Made once: a page of rows reads each path fifty times. */
export function readerAt(path: string): (wire: Any) => Any {
  const [first, second, ...rest] = path.split(".") as [string, string?, ...string[]];
  if (second === undefined) return (wire) => wire?.[first];
  if (rest.length === 0) return (wire) => wire?.[first]?.[second];
  const read = readerAt([second, ...rest].join("."));
  return (wire) => read(wire?.[first]);
}

export function put(wire: Any, path: string, value: unknown): void {
  const [first, ...rest] = path.split(".") as [string, ...string[]];
  if (rest.length === 0) wire[first] = value;
  else put((wire[first] = { ...wire[first] }), rest.join("."), value);
}
