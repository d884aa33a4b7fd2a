import type { ComplianceServiceDefinition } from "../../../../proto/gen/compliance/v1/compliance.js";
import { refusalToTrailer } from "../../../kernel/grpc/refusal-trailer.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { invalidInput } from "../../../kernel/refusal.js";
import { idFromWire } from "../../../kernel/text/wire-text.js";
import type { ComplianceDeps } from "../../common/handlers/deps.js";

const maxReleases = 300;

/** How reservations of the daily limit end. Each may be called again. */
export function reservationHandlers({ checks }: ComplianceDeps) {
  return {
    async confirmReservation({ transactionId }, call) {
      await checks.settle(call.tenantId, idFromWire(transactionId, "transactionId"), "CONFIRMED");
      return {};
    },

    async releaseReservation({ transactionId }, call) {
      await checks.settle(call.tenantId, idFromWire(transactionId, "transactionId"), "RELEASED");
      return {};
    },

    async releaseReservations({ transactionIds }, call) {
      if (transactionIds.length === 0 || transactionIds.length > maxReleases) {
        throw invalidInput("transactionIds", `must be 1 to ${maxReleases}`);
      }
      const ids = transactionIds.map((id, index) => idFromWire(id, `transactionIds[${index}]`));
      const refused = await checks.releaseAll(call.tenantId, ids, call.log);
      return {
        answers: ids.map((id) => {
          const refusal = refused.get(id);
          return refusal === undefined ? {} : { refusal: refusalToTrailer(refusal) };
        }),
      };
    },

    async giveBackReservation({ transactionId }, call) {
      await checks.settle(call.tenantId, idFromWire(transactionId, "transactionId"), "REFUNDED");
      return {};
    },
  } satisfies Partial<Handlers<ComplianceServiceDefinition>>;
}
