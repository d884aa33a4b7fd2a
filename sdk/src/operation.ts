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
  /** Name of a header that is the first argument. */
  header?: string;
  /** Wire names of members of the body, where they differ. */
  odd?: Readonly<Record<string, string>>;
  /** Amounts of the body that the wire wants as JSON numbers. */
  numbers?: readonly string[];
  /** Members of the body that are always so. */
  fixed?: Readonly<Record<string, unknown>>;
  /** The answer has no envelope. */
  bare?: true;
  /** Where a page's items are ("" for `data` itself), and what leads to the next page. */
  list?: readonly [items: string, next: "cursor" | "nextCursor" | "page" | `before:${string}`];
  /** Answers server-sent events. */
  stream?: true;
}

/** Options of one call. */
export interface CallOptions {
  /** Names the request: repeated, it is answered and not done again. Made where absent. */
  idempotencyKey?: string;
  /** Written on every ledger entry that comes of it. Made where absent. */
  interactionId?: string;
  /** Address of the person who asks. */
  ipAddress?: string;
  /** The caller's password, where the organisation asks for it. */
  password?: string;
  /** Events after this one: `lastEventId` of a stream that ended. */
  lastEventId?: string;
  /** For all tries together; the client's where absent. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** What is said of an answer beside its data. */
export interface Meta {
  /** 202 where the outcome waits for somebody. */
  status: number;
  /** It was given before, to the same idempotency key. */
  replayed: boolean;
  interactionId: string;
  idempotencyKey?: string;
  attempts: number;
  /** What is left of the limit that is nearest to its end. */
  rateLimit?: { limit: number; remaining: number; resetS: number };
}

export interface Answer<T> {
  data: T;
  meta: Meta;
}

/** A promise of the data; `withResponse()` also has what is said of it. */
export class Call<T> extends Promise<T> {
  readonly #answer: Promise<Answer<T>>;

  constructor(answer: Promise<Answer<T>>) {
    super((resolve) => resolve(undefined as T));
    this.#answer = answer;
  }

  static override get [Symbol.species]() {
    return Promise;
  }

  withResponse(): Promise<Answer<T>> {
    return this.#answer;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a promise that is read late is one still.
  override then<A = T, B = never>(
    onDone?: ((data: T) => A | PromiseLike<A>) | null,
    onFailed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#answer.then(({ data }) => data).then(onDone, onFailed);
  }
}
