import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { idFromWire } from "../../shared/wire-text.js";
import type { ComplianceDeps } from "./deps.js";

type Rpcs = "confirmReservation" | "releaseReservation" | "giveBackReservation";

/** How reservations of the daily limit end. Each may be called again. */
export function reservationHandlers({
  checks,
}: Pick<ComplianceDeps, "checks">): Pick<Handlers<ComplianceServiceDefinition>, Rpcs> {
  return {
    async confirmReservation({ transactionId }, call) {
      await checks.settle(call.tenantId, idFromWire(transactionId, "transactionId"), "CONFIRMED");
      return {};
    },

    async releaseReservation({ transactionId }, call) {
      await checks.settle(call.tenantId, idFromWire(transactionId, "transactionId"), "RELEASED");
      return {};
    },

    async giveBackReservation({ transactionId }, call) {
      await checks.settle(call.tenantId, idFromWire(transactionId, "transactionId"), "REFUNDED");
      return {};
    },
  };
}
