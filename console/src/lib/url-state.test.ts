import { firstPage, pageAfter, pageBefore, type Search } from "./url-state";

/** The address after a change of it. */
const changed = (values: Search, change: Record<string, string | undefined>): Search =>
  Object.fromEntries(
    Object.entries({ ...values, ...change }).filter((member): member is [string, string] => member[1] !== undefined),
  );

test("whoever opens the link of a page goes back page by page, to the first", () => {
  let at: Search = { status: "PAID" };
  const seen = [at];
  for (const next of ["cursor~a", "cursor~b", "cursor~c"]) seen.push((at = changed(at, pageAfter(at, next))));
  expect(at).toEqual({ status: "PAID", at: "cursor~c", page: "4", way: "cursor~a|cursor~b" });
  const back: Search[] = [at];
  while (at["page"] !== undefined) back.push((at = changed(at, pageBefore(at)!)));
  expect(back.toReversed()).toEqual(seen);
});

test("an address keeps the last ten places, and of an earlier page only the first is offered", () => {
  let at: Search = {};
  for (let page = 1; page <= 30; page++) at = changed(at, pageAfter(at, `cursor~${page}`));
  expect(at["way"]!.split("|")).toHaveLength(10);
  for (let back = 0; back < 10; back++) at = changed(at, pageBefore(at)!);
  expect([at["page"], at["at"], pageBefore(at)]).toEqual(["21", "cursor~20", undefined]);
  expect(changed(at, firstPage)).toEqual({});
});
