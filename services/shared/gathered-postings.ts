import { ClientError, Status } from "nice-grpc";
import type {
  LedgerServiceDefinition,
  PostTransfersRequest,
  PostTransfersResponse,
} from "../../proto/gen/ledger/v1/ledger.js";
import { defaultTimeoutMs } from "./grpc/channel-options.js";
import { outgoing, type CallOptions, type Client } from "./grpc/client.js";
import type { WirePartial } from "./grpc/definition.js";
import { refusalFromTrailer } from "./grpc/refusal-trailer.js";
import { Refusal } from "./refusal.js";

type LedgerClient = Client<LedgerServiceDefinition>;
type Request = WirePartial<PostTransfersRequest>;

interface Member {
  readonly request: Request;
  readonly transfers: number;
  readonly call: CallOptions;
  readonly deadlineMs: number;
  readonly resolve: (answer: PostTransfersResponse) => void;
  readonly reject: (error: unknown) => void;
}

/** What is under way and waits for one tenant. */
interface Lane {
  readonly waiting: Member[];
  /** Calls that hold the next one back. */
  held: number;
  isScheduled: boolean;
}

// One is decided while the next is on its way.
const mostHeld = 2;
// A call that takes longer than any commit does not keep the others waiting.
const holdsForMs = 250;
const mostTransfers = 1_000;
// What the other side has not got yet it will have after its next release.
const aloneForMs = 60_000;

/**
 * The ledger as one process's callers see it: what they post while two calls are under way goes out with the next one, since a call costs
 * several times what a transfer does. A lone posting goes out at once. Each has its own answer, refusal and deadline.
 */
export function gatherPostings<L extends Pick<LedgerClient, "postTransfers" | "postGathered">>(ledger: L): L {
  const lanes = new Map<string, Lane>();
  let aloneUntilMs = 0;

  function postTransfers(request: Request, call: CallOptions): Promise<PostTransfersResponse> {
    const transfers = (request.groups ?? []).reduce((sum, group) => sum + (group.transfers?.length ?? 0), 0);
    // A user's token is one caller's, and a large bulk has nothing to gain.
    if (call.userToken !== undefined || transfers > mostTransfers / 4 || Date.now() < aloneUntilMs) {
      return ledger.postTransfers(request, call);
    }
    return new Promise((resolve, reject) => {
      const lane = laneOf(call.tenantId);
      lane.waiting.push({ request, transfers, call, deadlineMs: deadlineOf(call), resolve, reject });
      schedule(call.tenantId, lane);
    });
  }

  function laneOf(tenantId: string): Lane {
    const lane = lanes.get(tenantId) ?? { waiting: [], held: 0, isScheduled: false };
    lanes.set(tenantId, lane);
    return lane;
  }

  /** At the end of this turn of the event loop: all that came in it goes together. */
  function schedule(tenantId: string, lane: Lane): void {
    if (lane.isScheduled || lane.held >= mostHeld) return;
    lane.isScheduled = true;
    setImmediate(() => {
      lane.isScheduled = false;
      if (lane.waiting.length > 0) void send(tenantId, lane);
      else if (lane.held === 0) lanes.delete(tenantId);
    });
  }

  async function send(tenantId: string, lane: Lane): Promise<void> {
    const members = take(lane.waiting);
    lane.held += 1;
    let holds = true;
    const letGo = () => {
      if (!holds) return;
      holds = false;
      lane.held -= 1;
      schedule(tenantId, lane);
    };
    const timer = setTimeout(letGo, holdsForMs);
    if (lane.waiting.length > 0) schedule(tenantId, lane);
    const [first] = members;
    await (members.length === 1 && first !== undefined ? sendAlone(first) : sendTogether(tenantId, members));
    clearTimeout(timer);
    letGo();
  }

  function sendAlone({ request, call, resolve, reject }: Member): Promise<void> {
    return ledger.postTransfers(request, call).then(resolve, reject);
  }

  async function sendTogether(tenantId: string, members: readonly Member[]): Promise<void> {
    const ends = members.map(leaveEarly);
    try {
      const latest = Math.max(...members.map(({ deadlineMs }) => deadlineMs));
      const { interactionId } = members[0]!.call;
      const postings = members.map(({ request, call }) => ({ interactionId: call.interactionId, request }));
      const call = outgoing({ tenantId, interactionId, deadline: new Date(latest) });
      const { answers } = await ledger.postGathered({ postings }, call);
      for (const [index, { resolve, reject }] of members.entries()) {
        const { response, refusal } = answers[index] ?? {};
        if (response !== undefined) resolve(response);
        else reject(refusalFromTrailer(refusal) ?? new Error("the ledger answered a posting with nothing"));
      }
    } catch (error) {
      if (error instanceof ClientError && error.code === Status.UNIMPLEMENTED) aloneUntilMs = Date.now() + aloneForMs;
      if (isEverybodys(error)) for (const { reject } of members) reject(error);
      // Whoever among them caused it shall have it alone; every key decides once.
      else await Promise.all(members.map(sendAlone));
    } finally {
      for (const end of ends) end();
    }
  }

  return { ...ledger, postTransfers };
}

/** From the front, as many as one call may hold. */
function take(waiting: Member[]): Member[] {
  let transfers = 0;
  const end = waiting.findIndex((member) => (transfers += member.transfers) > mostTransfers);
  return waiting.splice(0, end < 0 ? waiting.length : end);
}

/** At its own deadline, or when its caller gives up; the call goes on for the others. Gives what ends the watch. */
function leaveEarly({ deadlineMs, call: { signal }, reject }: Member): () => void {
  const late = () => reject(new Refusal("DEADLINE_EXCEEDED", "the posting took too long", { retryAfterS: 1 }));
  const timer = setTimeout(late, Math.max(0, Math.min(deadlineMs - Date.now(), 2 ** 31 - 1)));
  const onAbort = () => reject(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  };
}

function deadlineOf({ deadline, timeoutMs }: CallOptions): number {
  const asked = timeoutMs ?? (deadline === undefined ? defaultTimeoutMs : Infinity);
  return Math.min(deadline?.getTime() ?? Infinity, Date.now() + asked);
}

/** Nobody knows what has become of any of them. */
function isEverybodys(error: unknown): boolean {
  return error instanceof Refusal && (error.code === "UNAVAILABLE" || error.code === "DEADLINE_EXCEEDED");
}
