import type { CheckMovesResponse, MoveAnswer } from "../../../proto/gen/compliance/v1/compliance.js";
import type { CallOptions } from "../../kernel/grpc/client.js";
import { createCustomerMoves } from "./customer-moves.js";

const call = { tenantId: "t", interactionId: "i", userToken: "token", deadline: new Date(Date.now() + 5_000) };
const move = { customerId: "c", kind: "WITHDRAWAL" } as const;
const neutral = { code: "COMPLIANCE_REJECTED", message: "compliance refuses this payment" };
const unconfirmed = { code: "CUSTOMER_NOT_CONFIRMED", message: "the customer is not confirmed yet" };

function movesWith(answer: Partial<MoveAnswer> | undefined) {
  const requested: { request: unknown; options: CallOptions }[] = [];
  const checkMoves = async (request: object, options: CallOptions) => {
    requested.push({ request, options });
    const answers = answer === undefined ? [] : [{ reasonCode: "", ...answer } as MoveAnswer];
    return { answers } as CheckMovesResponse;
  };
  return { requested, moves: createCustomerMoves({ compliance: { checkMoves } as never }) };
}

test("asks about the customer in nobody's name, for as long as the caller waits", async () => {
  const { requested, moves } = movesWith({ verdict: "MOVE_VERDICT_PASS" });
  await moves.ask(move, call);
  expect(requested).toEqual([
    {
      request: { moves: [{ customerId: "c", kind: "MOVE_KIND_WITHDRAWAL" }] },
      options: { tenantId: "t", interactionId: "i", deadline: call.deadline },
    },
  ]);
});

test.each<[Partial<MoveAnswer>, { isHeld: boolean; refusal?: object }]>([
  [{ verdict: "MOVE_VERDICT_PASS" }, { isHeld: false }],
  [{ verdict: "MOVE_VERDICT_HOLD" }, { isHeld: true }],
  [{ verdict: "MOVE_VERDICT_WAIT" }, { isHeld: false, refusal: unconfirmed }],
  [
    { verdict: "MOVE_VERDICT_REFUSE", reasonCode: "CUSTOMER_NOT_CONFIRMED" },
    { isHeld: false, refusal: unconfirmed },
  ],
  [
    { verdict: "MOVE_VERDICT_REFUSE", reasonCode: "CUSTOMER_BLOCKED" },
    { isHeld: false, refusal: neutral },
  ],
  [{ verdict: "MOVE_VERDICT_UNSPECIFIED" }, { isHeld: false, refusal: neutral }],
])("%j is told as %j", async (answer, expected) => {
  expect(await movesWith(answer).moves.ask(move, call)).toMatchObject(expected);
});

test("throws where compliance answers with nothing", async () => {
  await expect(movesWith(undefined).moves.ask(move, call)).rejects.toThrow("without a decision");
});

test.each<[Partial<MoveAnswer>, object]>([
  [{ verdict: "MOVE_VERDICT_HOLD" }, neutral],
  [{ verdict: "MOVE_VERDICT_WAIT" }, unconfirmed],
  [{ verdict: "MOVE_VERDICT_REFUSE" }, neutral],
])("what cannot be held is refused for %j with %j", async (answer, expected) => {
  await expect(movesWith(answer).moves.assertPasses(move, call)).rejects.toMatchObject(expected);
});

test("what may pass passes", async () => {
  await movesWith({ verdict: "MOVE_VERDICT_PASS" }).moves.assertPasses(move, call);
});
