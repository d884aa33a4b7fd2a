import {
  ruleForPlace,
  strangersRule,
  accountRule,
  addressRule,
  afterFailure,
  afterSuccess,
  afterTakingBack,
  beginAttempt,
  mergeStates,
  type ThrottleState,
} from "./throttle-rules.js";

const at = 1_700_000_000_000;
const failing = (times: number, rule = accountRule, nowMs = at) => {
  let state: ThrottleState | undefined;
  for (let each = 0; each < times; each++) state = afterFailure(state, rule, nowMs);
  return state;
};

test.each([
  [4, 0],
  [5, 1_000],
  [6, 2_000],
  [7, 4_000],
  [14, 512_000],
  [15, 900_000],
  [1_000, 900_000],
])("after %i failures the next attempt waits %i ms", (failures, waitMs) => {
  expect(beginAttempt(failing(failures), accountRule, at).waitMs).toBe(waitMs);
});

test("a clock that is behind makes nobody wait who need not", () => {
  expect(beginAttempt(failing(4), accountRule, at - 60_000).waitMs).toBe(0);
});

test("attempts at the same time are counted, and one at a time where the free failures are used up", () => {
  let state: ThrottleState | undefined;
  for (let each = 0; each < accountRule.maxConcurrent; each++) ({ state } = beginAttempt(state, accountRule, at));
  expect(beginAttempt(state, accountRule, at).waitMs).toBe(1_000);
  const late = at + 1_000_000;
  const first = beginAttempt(failing(5), accountRule, late);
  expect(first.waitMs).toBe(0);
  expect(beginAttempt(first.state, accountRule, late).waitMs).toBe(1_000);
});

test("an attempt whose process died ends by itself", () => {
  const { state } = beginAttempt(failing(5), accountRule, at + 1_000);
  expect(beginAttempt(state, accountRule, at + 17_000).waitMs).toBe(0);
});

test("a success forgets the failures of an account, not those of an address", () => {
  expect(afterSuccess(failing(9), accountRule)).toBeUndefined();
  expect(afterSuccess(failing(9, addressRule), addressRule)).toMatchObject({ failures: 9 });
});

test("a failure that is taken back leaves no wait of its own, and those before it theirs", () => {
  const takenBack = (times: number, was: number) =>
    afterTakingBack(failing(times), accountRule, { was, set: failing(times)!.waitUntil });
  expect(afterTakingBack(undefined, accountRule, { was: 0, set: 0 })).toBeUndefined();
  expect(takenBack(5, 0)).toEqual(failing(4));
  expect(takenBack(6, failing(5)!.waitUntil)).toEqual(failing(5));
  expect(afterTakingBack({ ...failing(1)!, failures: 0 }, accountRule, { was: 0, set: 0 })).toMatchObject({
    failures: 0,
  });
});

test("a wait that another failure has set since is not taken back", () => {
  const first = { was: failing(5)!.waitUntil, set: failing(6)!.waitUntil };
  expect(afterTakingBack(failing(7), accountRule, first)).toMatchObject({ failures: 6, waitUntil: at + 4_000 });
});

test("what was counted in two places is the more failures, the longer wait and the attempts of the later", () => {
  const one = { failures: 5, pending: 1, waitUntil: at + 1_000, lastAt: at };
  const other = { failures: 4, pending: 0, waitUntil: at + 9_000, lastAt: at + 1 };
  const both = { failures: 5, pending: 0, waitUntil: at + 9_000, lastAt: at + 1 };
  expect(mergeStates(one, other)).toEqual(both);
  expect(mergeStates(other, one)).toEqual(both);
  expect(mergeStates(undefined, one)).toEqual(one);
  expect(mergeStates(one, undefined)).toEqual(one);
});

/**
 * Wrong guesses at one account in so many days, by who has so many addresses and uses each in turn
 * whenever it may.
 */
function guessesWithin(days: number, addresses: number): number {
  const end = at + days * 86_400_000;
  let strangers: ThrottleState | undefined;
  let guesses = 0;
  let places = Array.from({ length: addresses }, () => ({ state: undefined as ThrottleState | undefined, nextAt: at }));
  while (places.length > 0) {
    for (const place of places) {
      const { nextAt } = place;
      const rule = ruleForPlace(false, strangers?.failures ?? 0);
      place.state = afterFailure(beginAttempt(place.state, rule, nextAt).state, rule, nextAt);
      strangers = afterFailure(strangers, strangersRule, nextAt);
      place.nextAt = Math.max(nextAt, place.state.waitUntil);
      guesses += 1;
    }
    places = places.filter(({ nextAt }) => nextAt < end);
  }
  return guesses;
}

// docs/decisions/0003 says so.
test.each([
  [1, 1, 101],
  [1, 30, 130],
  [100, 1, 800],
  [100, 30, 3_700],
  [10_000, 1, 80_000],
  [10_000, 30, 370_000],
])("who has %i addresses gets in %i days %i guesses at one account", (addresses, days, guesses) => {
  expect(guessesWithin(days, addresses)).toBe(guesses);
});

test("who is known where they are is held to the rule of an account, whoever guesses elsewhere", () => {
  expect(ruleForPlace(true, 1_000_000)).toBe(accountRule);
  expect(ruleForPlace(false, 99)).toBe(accountRule);
});
