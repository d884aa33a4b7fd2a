import { stateOf, type ErasureAnswer } from "./erasure.js";

const answer = (stage: ErasureAnswer["stage"], erased: bigint, kept: bigint): ErasureAnswer => ({
  service: "wallet",
  stage,
  at: new Date("2026-11-21T10:15:00Z"),
  erased: erased > 0n ? [{ kind: "PAYMENTS", records: erased }] : [],
  kept: kept > 0n ? [{ kind: "STATEMENTS", records: kept }] : [],
});
const state = (...answers: ErasureAnswer[]) => stateOf("wallet", { answers });

test("a service is done when its retention is over and nothing is left there", () => {
  expect(state().state).toBe("PENDING");
  expect(state(answer("AT_ONCE", 1n, 0n)).state).toBe("RETAINING");
  expect(state(answer("AT_ONCE", 1n, 2n), answer("AFTER_RETENTION", 1n, 1n))).toMatchObject({
    state: "RETAINING",
    erased: [{ kind: "PAYMENTS", records: 2n }],
    kept: [{ kind: "STATEMENTS", records: 1n }],
  });
  expect(state(answer("AT_ONCE", 1n, 2n), answer("AFTER_RETENTION", 2n, 0n)).state).toBe("ERASED");
  expect(stateOf("lending", { answers: [answer("AFTER_RETENTION", 1n, 0n)] }).state).toBe("PENDING");
});
