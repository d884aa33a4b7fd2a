import { v7 as uuidv7 } from "uuid";
import {
  CreateBeneficiaryRequest,
  CreateBeneficiaryResponse,
  type RemittanceServiceDefinition,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { actorOf } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { fingerprintOf, runIdempotent } from "../../shared/idempotency/index.js";
import { newBeneficiaryCode } from "../codes.js";
import { textFromWire } from "../names.js";
import { beneficiaryFromWire, beneficiaryToWire } from "../wire.js";
import type { RemittanceDeps } from "./deps.js";

type BeneficiaryRpcs = "createBeneficiary" | "listBeneficiaries";

export function beneficiaryHandlers({
  db,
  store,
  people,
  idempotency,
  clock,
}: Pick<RemittanceDeps, "db" | "store" | "people" | "idempotency" | "clock">): Pick<
  Handlers<RemittanceServiceDefinition>,
  BeneficiaryRpcs
> {
  return {
    async createBeneficiary(request, call) {
      const key = textFromWire(request.idempotencyKey, "idempotencyKey", 255);
      const asked = beneficiaryFromWire(request);
      const tenant = store.forTenant(call.tenantId);
      await people.findCustomer({ customerId: asked.customerId }, call);
      return runIdempotent({
        db,
        idempotency,
        call,
        scope: { tenantId: call.tenantId, caller: actorOf(call), operation: "create-beneficiary", key },
        fingerprint: fingerprintOf(CreateBeneficiaryRequest, request, ["idempotencyKey"]),
        response: CreateBeneficiaryResponse,
        work: async (session) => {
          const code = asked.code || newBeneficiaryCode();
          const stamp = { createdAt: clock.now(), createdBy: actorOf(call) };
          const beneficiary = { ...asked, code, beneficiaryId: uuidv7(), ...stamp };
          await tenant.insertBeneficiary(beneficiary, session);
          return CreateBeneficiaryResponse.fromPartial({ beneficiary: beneficiaryToWire(beneficiary) } as never);
        },
      });
    },

    async listBeneficiaries(_request, call) {
      const customerIds = await people.visibleCustomers(call);
      const beneficiaries = await store.forTenant(call.tenantId).listBeneficiaries(customerIds);
      return { beneficiaries: beneficiaries.map(beneficiaryToWire) };
    },
  };
}
