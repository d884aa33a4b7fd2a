import type { createHits } from "./hits.js";
import type { Network } from "./partner.js";
import type { Process } from "./schedule.js";

/** Compliance as far as a payout tells and asks it. */
export function createCompliance(
  network: Network,
  { isOpen, isReceivedHeld }: Pick<ReturnType<typeof createHits>, "isOpen" | "isReceivedHeld">,
) {
  /** What it was told, in order, repeated news once. */
  const published: string[] = [];
  let held = 0;
  return {
    told: published,
    held: () => held,
    clientOf(process: Process) {
      const note = (what: string) => () =>
        network.ask(process, () => {
          if (!published.includes(what)) published.push(what);
          return {};
        });
      return {
        confirmReservation: note("CONFIRMED"),
        releaseReservation: note("RELEASED"),
        releaseReservations: async () => {
          await note("RELEASED")();
          return { answers: [{ refusal: "" }] };
        },
        giveBackReservation: note("GIVEN_BACK"),
        checkPayouts: () =>
          network.ask(process, () => {
            if (isOpen()) held += 1;
            return { answers: [{ verdict: isOpen() ? "MOVE_VERDICT_HOLD" : "MOVE_VERDICT_PASS" }] };
          }),
        checkMoves: () =>
          network.ask(process, () => ({
            answers: [{ verdict: isReceivedHeld() ? "MOVE_VERDICT_HOLD" : "MOVE_VERDICT_PASS", reasonCode: "" }],
          })),
      };
    },
  };
}
