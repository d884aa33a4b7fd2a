/** How one operation is called: a row of the generated table. */
export interface Operation {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** With `{}` where an argument stands. */
  path: string;
  body?: true;
  query?: true;
  /** Takes an idempotency key: repeating it does nothing twice. */
  keyed?: true;
  /** Never sent again by itself: a code or a password is used up by it. */
  once?: true;
  /** Asks for no token. */
  open?: true;
  /** Stands below /sandbox alone. */
  sandbox?: true;
  /** Says when it was asked for. */
  dated?: true;
  /** The interaction id is an argument: what is asked for. */
  interaction?: true;
  /** Wire names of members of the body, where they differ. */
  odd?: Readonly<Record<string, string>>;
  /** Amounts of the body that the wire wants as JSON numbers. */
  numbers?: readonly string[];
  /** Members of the body that are always so. */
  fixed?: Readonly<Record<string, unknown>>;
  /** The answer has no envelope. */
  bare?: true;
  /** What it answers is an array; else it is an object. */
  array?: boolean;
  /** Where a page's items are ("" for `data` itself), and what leads to the next page. */
  list?: readonly [items: string, next: "cursor" | "nextCursor" | "page" | `before:${string}`];
  /** Answers server-sent events. */
  stream?: true;
  /** Content types of its answer, where it is not JSON alone. */
  types?: readonly string[];
}

/** What was sent may have taken effect: how to ask again, and how to find it. */
export interface Sent {
  /** Of the operation, such as "transactions.create". */
  operation: string;
  /** Calling again with it does nothing twice. */
  idempotencyKey?: string | undefined;
  interactionId: string;
  attempts: number;
}

/** What is said of an answer beside its data. */
export interface Meta extends Omit<Sent, "operation"> {
  /** 202 where the outcome waits for somebody. */
  status: number;
  /** It was given before, to the same idempotency key. */
  replayed: boolean;
  /** What is left of the limit that is nearest to its end. */
  rateLimit?: { limit: number; remaining: number; resetS: number } | undefined;
}

export interface Answer<T> {
  data: T;
  meta: Meta;
}

/** A promise of the data; `withResponse()` also has what is said of it. */
export interface Call<T> extends Promise<T> {
  withResponse(): Promise<Answer<T>>;
}

export function callOf<T>(answer: Promise<Answer<T>>): Call<T> {
  const data = answer.then((given) => given.data);
  return Object.assign(data, { withResponse: () => data.then(() => answer) });
}
