import { v7 as uuidv7 } from "uuid";
import {
  CountTillRequest,
  CountTillResponse,
  OpenTillRequest,
  OpenTillResponse,
  type TillServiceDefinition,
} from "../../../proto/gen/wallet/v1/tills.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { requireUser } from "../../kernel/grpc/context.js";
import { parseMoney } from "../../kernel/money.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { refusedByTillLimit } from "../domain/cash-limit.js";
import { notOpen, tillAccounts, transfersOfOpening, type Till } from "../domain/till.js";
import { Taken } from "../store/taken.js";
import { countedFromWire, isUncounted, tillCountToWire, tillLineToWire, tillToWire } from "../wire/tills.js";
import { assertBranch } from "./branches.js";
import { cashRuleFor, isBlindTo, ownTill, readableTill } from "./cash.js";
import { countOf } from "./till-counting.js";
import type { WalletDeps } from "./deps.js";
import { runMovement } from "./run-movement.js";

const maxCounts = 200;

/** Tills of cashiers and agents: opened, counted, read. */
export function tillHandlers(deps: WalletDeps) {
  const { store, runOnce } = deps;
  return {
    /**
     * Refuses ALREADY_EXISTS while the cashier or agent has one open in the currency,
     * AMOUNT_OUT_OF_LIMITS for more than may be in their till, AGENT_SUSPENDED, STATE_CONFLICT for
     * an agent who sells from an account, INVALID_INPUT where their branch is switched off.
     */
    async openTill(request, call) {
      const { currency } = request;
      assertCurrency(currency, "currency");
      const float = parseMoney(request.float || "0", currency, "float");
      const { userId, role } = requireUser(call);
      const wallet = store.forTenant(call.tenantId);
      const branch = await wallet.branchOf(userId);
      const till: Till = {
        tillId: uuidv7(),
        cashierId: userId,
        ...(role === "AGENT" && { role }),
        currency,
        branch,
        status: "OPENING",
        floatMinor: float.minor,
        expectedMinor: float.minor,
        moving: 0,
        lines: 0,
        bookedMinor: 0n,
        openedAt: deps.clock.now(),
      };
      return runMovement<OpenTillRequest, OpenTillResponse>(deps, {
        operation: "wallet.v1.OpenTill",
        request,
        requestType: OpenTillRequest,
        response: OpenTillResponse,
        call,
        plan: async () => {
          await deps.ceilings.check(call, float);
          const tooMuch = refusedByTillLimit(await cashRuleFor(deps, till, call), 0n, float);
          if (tooMuch !== undefined) return tooMuch;
          await assertBranch(deps, branch, "branchCode", call);
          await Promise.all([wallet.openAssignment(userId), wallet.openVault(branch, currency)]);
          return {
            kind: "TILL_OPENING",
            accountId: "",
            customerId: "",
            ownAccounts: tillAccounts(till),
            transfers: transfersOfOpening(till, float.minor),
            subjectId: till.tillId,
            till,
          };
        },
      }).catch((error: unknown) => {
        if (error instanceof Taken) throw new Refusal("ALREADY_EXISTS", `a till in ${currency} is open`);
        throw error;
      });
    },

    /** Refuses TILL_NOT_OPEN. */
    async countTill(request, call) {
      const till = await ownTill(store, request.tillId, call);
      const counted = countedFromWire(request, till.currency);
      return runOnce<CountTillRequest, CountTillResponse>({
        operation: "wallet.v1.CountTill",
        request,
        requestType: CountTillRequest,
        response: CountTillResponse,
        call,
        work: async (session) => {
          const { tillId, cashierId } = till;
          const wallet = store.forTenant(call.tenantId);
          const now = await wallet.countTill(tillId, cashierId, counted.minor, session);
          if (now === undefined) throw notOpen((await wallet.findTill(tillId, session))?.status);
          await wallet.insertTillCount(countOf(deps, now, counted, cashierId), session);
          return { till: tillToWire(now) };
        },
      });
    },

    async listTills(request, call) {
      const { role, userId } = requireUser(call);
      const size = request.pageSize || 20;
      if (size < 1 || size > 100) throw invalidInput("pageSize", "must be 1 to 100");
      textFromWire(request.cursor, "cursor", { minimum: 0 });
      const fit = { openOnly: request.openOnly, ...(role !== "MANAGER" && { cashierId: userId }) };
      const found = await store.forTenant(call.tenantId).listTills(fit, request.cursor, size + 1);
      const tills = found.slice(0, size);
      const isBlind = tills.length > 0 && (await isBlindTo(deps, call));
      return {
        tills: tills.map((till) => tillToWire(till, isBlind)),
        nextCursor: found.length > size ? (tills.at(-1)?.tillId ?? "") : "",
      };
    },

    /** Refuses NOT_FOUND, FORBIDDEN for another person's. */
    async listTillLines(request, call) {
      const size = request.pageSize || 20;
      if (size < 1 || size > 1_000) throw invalidInput("pageSize", "must be 1 to 1000");
      const after = afterOf(request.cursor);
      const till = await readableTill(store, request.tillId, call);
      const found = await store.forTenant(call.tenantId).tillLines(till.tillId, after, size + 1);
      const lines = found.slice(0, size);
      const isHidden = isUncounted(till) && (await isBlindTo(deps, call));
      return {
        lines: lines.map((line) => tillLineToWire(line, till, isHidden)),
        nextCursor: found.length > size ? String(lines.at(-1)?.number ?? "") : "",
      };
    },

    async listTillCounts(request, call) {
      const till = await readableTill(store, request.tillId, call);
      const counts = await store.forTenant(call.tenantId).tillCounts(till.tillId, maxCounts);
      return { counts: counts.map((count) => tillCountToWire(count, till)) };
    },
  } satisfies Partial<Handlers<TillServiceDefinition>>;
}

/** The line that a page begins behind. */
function afterOf(cursor: string): number {
  if (cursor === "") return 0;
  if (!/^[1-9]\d{0,8}$/.test(cursor)) throw invalidInput("cursor", "is not one of this list");
  return Number(cursor);
}
