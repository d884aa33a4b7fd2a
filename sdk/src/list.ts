import type { Content } from "./transport.js";
import type { Meta, Operation } from "./operation.js";

/** Members of a query by their names. */
export type Query = Readonly<Record<string, unknown>>;

export interface Page<T> {
  items: T[];
  /** Of the query that leads to the next page; absent at the end. Plain data, to be kept or sent on. */
  next?: Query;
  meta: Meta;
}

type Load = (query: Query) => Promise<Content>;

/** A list that the server gives page by page. Nothing is asked before it is read. */
export class List<T> implements AsyncIterable<T> {
  readonly #how: NonNullable<Operation["list"]>;
  readonly #query: Query;
  readonly #load: Load;

  constructor(how: NonNullable<Operation["list"]>, query: Query, load: Load) {
    this.#how = how;
    this.#query = query;
    this.#load = load;
  }

  /** The first page, or the one that the query's `cursor`, `page` or `before` leads to. */
  page(): Promise<Page<T>> {
    return this.#pageOf(this.#query);
  }

  /** At most `max` items, of as many pages as it takes. */
  async toArray({ max }: { max: number }): Promise<T[]> {
    const items: T[] = [];
    if (max > 0) {
      for await (const item of this) if (items.push(item) >= max) break;
    }
    return items;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let query: Query | undefined = this.#query;
    while (query !== undefined) {
      const { items, next }: Page<T> = await this.#pageOf(query);
      yield* items;
      query = next && { ...this.#query, ...next };
    }
  }

  async #pageOf(query: Query): Promise<Page<T>> {
    const { content, data, meta } = await this.#load(query);
    const items = (this.#how[0] === "" ? data : (data as Record<string, unknown>)[this.#how[0]]) as T[];
    const next = this.#nextOf(query, items, {
      ...(content as object),
      ...(this.#how[0] === "" ? {} : (data as object)),
    });
    return { items, meta, ...(next && { next }) };
  }

  #nextOf(query: Query, items: T[], said: Record<string, unknown>): Query | undefined {
    const [, next] = this.#how;
    if (next === "page")
      return Number(said["page"]) < Number(said["totalPages"]) ? { page: Number(said["page"]) + 1 } : undefined;
    if (next === "cursor" || next === "nextCursor") {
      const cursor = said[next];
      // A cursor that leads to itself would never end.
      return cursor == null || cursor === "" || cursor === query["cursor"] ? undefined : { cursor };
    }
    const last = items.at(-1) as Record<string, unknown> | undefined;
    return last && { before: last[next.slice("before:".length)] };
  }
}
