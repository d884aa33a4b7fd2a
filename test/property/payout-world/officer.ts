import type { ReleaseOutcome } from "../../../services/remittance/domain/block.js";
import type { Transaction } from "../../../services/remittance/domain/transaction.js";
import type { Replica } from "./replica.js";
import type { Tape } from "./schedule.js";

interface Block {
  id: string;
  outcome: ReleaseOutcome;
  isAnswered: boolean;
  isReleased: boolean;
}

const maxBlocks = 2;

/**
 * Compliance's relay: tells of blocks and of their ends until it is answered, more than once, and
 * sometimes of an end before remittance has heard of the block.
 */
export function createOfficer(
  tape: Tape,
  {
    tell,
    block: blockAt,
  }: {
    tell(what: string, work: (replica: Replica) => Promise<unknown>, at: number): void;
    block(replica: Replica, blockId: string): Promise<unknown>;
  },
) {
  const blocks: Block[] = [];

  function order(block: Block, at: number): void {
    tell(
      block.id,
      async (replica) => {
        await blockAt(replica, block.id);
        block.isAnswered = true;
      },
      at,
    );
  }

  function end(block: Block, at: number): void {
    tell(
      `end of ${block.id}: ${block.outcome}`,
      async (replica) => {
        await replica.releaseBlock(block.id, block.outcome);
        block.isReleased = true;
      },
      at,
    );
  }

  const some = (): Block | undefined => blocks[tape.choose(Math.max(1, blocks.length))];

  return {
    blocks,
    isOver: () => blocks.every(({ isAnswered, isReleased }) => isAnswered && isReleased),

    /** Another block, or one that was told of before, which may be over. */
    block(): void {
      if (blocks.length < maxBlocks && tape.choose(2) === 0) {
        const outcome = (["CONTINUE", "REFUND"] as const)[tape.choose(2)]!;
        blocks.push({ id: `block-${blocks.length + 1}`, outcome, isAnswered: false, isReleased: false });
        order(blocks.at(-1)!, tape.choose(2));
        return;
      }
      const again = some();
      if (again !== undefined) order(again, tape.choose(2));
    },

    release(): void {
      const one = some();
      if (one !== undefined) end(one, tape.choose(2));
    },

    /**
     * What is not answered yet, once everything else is at rest.
     * Always true: there is more to come.
     */
    goOn(): boolean {
      const unanswered = blocks.find(({ isAnswered }) => !isAnswered);
      if (unanswered !== undefined) order(unanswered, 0);
      else
        end(
          blocks.find(({ isReleased }) => !isReleased)!,
          0,
        );
      return true;
    },
  };
}

/** The money of what is blocked lies where it must. Throws where it does not. */
export function checkStored(
  { status, block, price: { principal, total } }: Transaction,
  { isPaid, ...lies }: { isPaid: boolean; clearing: bigint; paidIn: bigint },
): void {
  if (status !== "BLOCKED") return;
  const isBack = block?.stoppedIn === "RETURNED";
  const should = { clearing: isPaid && !isBack ? principal.minor : 0n, paidIn: isPaid ? total.minor : 0n };
  const isHeld = lies.clearing === should.clearing && lies.paidIn === should.paidIn;
  if (isHeld && block?.recall !== "ASKED") return;
  const text = ({ clearing, paidIn }: typeof should) => `${clearing} in clearing of ${paidIn}`;
  throw new Error(`blocked in ${block?.stoppedIn}, recall ${block?.recall}: ${text(lies)}, not ${text(should)}`);
}
