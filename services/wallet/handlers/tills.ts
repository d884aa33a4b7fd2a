import { v7 as uuidv7 } from "uuid";
import {
  CloseTillRequest,
  CloseTillResponse,
  CountTillRequest,
  CountTillResponse,
  OpenTillRequest,
  OpenTillResponse,
  type TillServiceDefinition,
} from "../../../proto/gen/wallet/v1/tills.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { requireUser } from "../../kernel/grpc/context.js";
import { parseMoney } from "../../kernel/money.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { notOpen, tillAccounts, transfersOfClosing, transfersOfOpening, type Till } from "../domain/till.js";
import { Taken } from "../store/taken.js";
import { tillToWire } from "../wire/cash.js";
import { ownTill } from "./cash.js";
import type { WalletDeps } from "./deps.js";
import { runMovement } from "./run-movement.js";

/** Tills of cashiers. */
export function tillHandlers(deps: WalletDeps) {
  const { store, runOnce } = deps;
  return {
    /** Refuses ALREADY_EXISTS while the cashier or agent has one open in the currency. */
    async openTill(request, call) {
      const { currency } = request;
      assertCurrency(currency, "currency");
      const float = parseMoney(request.float || "0", currency, "float");
      const { userId, role } = requireUser(call);
      const till: Till = {
        tillId: uuidv7(),
        cashierId: userId,
        ...(role === "AGENT" && { role }),
        currency,
        status: "OPENING",
        floatMinor: float.minor,
        expectedMinor: float.minor,
        moving: 0,
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
      const counted = parseMoney(request.counted, till.currency, "counted");
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
          return { till: tillToWire(now) };
        },
      });
    },

    /** Refuses TILL_NOT_OPEN, STATE_CONFLICT while cash moves through it. */
    async closeTill(request, call) {
      const till = await ownTill(deps.store, request.tillId, call);
      const counted = parseMoney(request.counted, till.currency, "counted").minor;
      return runMovement<CloseTillRequest, CloseTillResponse>(deps, {
        operation: "wallet.v1.CloseTill",
        request,
        requestType: CloseTillRequest,
        response: CloseTillResponse,
        call,
        plan: async () => {
          if (till.status !== "OPEN") return notOpen(till.status);
          deps.ceilings.checkSum({ minor: counted, currency: till.currency });
          const closed = {
            ...till,
            status: "CLOSED" as const,
            countedMinor: counted,
            differenceMinor: counted - till.expectedMinor,
            closedAt: deps.clock.now(),
          };
          return {
            kind: "TILL_CLOSING",
            accountId: "",
            customerId: "",
            ownAccounts: tillAccounts(till),
            transfers: transfersOfClosing(till, till.expectedMinor, counted),
            subjectId: till.tillId,
            till: closed,
          };
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
      return { tills: tills.map(tillToWire), nextCursor: found.length > size ? (tills.at(-1)?.tillId ?? "") : "" };
    },
  } satisfies Partial<Handlers<TillServiceDefinition>>;
}
