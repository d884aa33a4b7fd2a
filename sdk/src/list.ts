import type { Meta, Operation } from "./operation.js";
import type { Content } from "./transport.js";

/** Members of a query by their names. */
export type Query = Readonly<Record<string, unknown>>;

export interface Page<T> {
  items: T[];
  /**
   * Of the query that leads to the next page; absent at the end. Plain data, to be kept or sent on.
   */
  next?: Query | undefined;
  meta: Meta;
}

/** A list that the server gives page by page. Nothing is asked before it is read. */
export class List<T> implements AsyncIterable<T> {
  readonly #query: Query;
  readonly #load: (query: Query) => Promise<Page<T>>;

  constructor(query: Query, load: (query: Query) => Promise<Page<T>>) {
    this.#query = query;
    this.#load = load;
  }

  /** The first page, or the one that the query's `cursor`, `page` or `before` leads to. */
  page(): Promise<Page<T>> {
    return this.#load(this.#query);
  }

  /** At most `max` items, of as many pages as it takes. */
  async toArray({ max }: { max: number }): Promise<T[]> {
    const items: T[] = [];
    for await (const item of max > 0 ? this : []) if (items.push(item) >= max) break;
    return items;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (let next: Query | undefined = {}; next;) {
      const page: Page<T> = await this.#load({ ...this.#query, ...next });
      yield* page.items;
      next = page.next;
    }
  }
}

/** A page as an answer to that query has it. */
export function pageOf<T>([where, by]: NonNullable<Operation["list"]>, query: Query, answer: Content): Page<T> {
  const said = { ...(answer.content as object), ...(where && (answer.data as object)) } as Record<string, unknown>;
  const items = (where ? said[where] : answer.data) as T[];
  return { items, next: nextOf(by, query, said, items.at(-1)), meta: answer.meta };
}

function nextOf(by: string, query: Query, said: Query, last: unknown): Query | undefined {
  if (by === "page") {
    const page = Number(said["page"]);
    return page < Number(said["totalPages"]) ? { page: page + 1 } : undefined;
  }
  if (by.startsWith("before:")) return last ? { before: (last as Query)[by.slice("before:".length)] } : undefined;
  const cursor = said[by];
  // A cursor that leads to itself would never end.
  return cursor == null || cursor === "" || cursor === query["cursor"] ? undefined : { cursor };
}
