import type { RegisterServiceDefinition } from "../../../proto/gen/sandbox/v1/sandbox.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import type { Sender, SenderOptions } from "../../platform/partners/sender.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { isSandbox } from "../../platform/sandbox/sandbox.js";
import { textFromWire } from "../../kernel/text/wire-text.js";

interface RegisterDeps extends Pick<SenderOptions, "accessOf"> {
  send: Sender;
  isProduction: boolean;
}

/**
 * Sets who holds a bank verification number in a sandbox's register. The operator may set holders
 * for a live tenant too, which are stored where its bank is the sandbox partner, as on a
 * development cluster.
 */
export function registerHandlers({ send, accessOf, isProduction }: RegisterDeps) {
  return {
    async putBvn({ bvn, firstName, lastName, dateOfBirth, phoneNumber }, { tenantId, caller, signal }) {
      const isOperator = caller === "operator";
      if (!isOperator && !isSandbox(tenantId)) throw new Refusal("NOT_FOUND", "this is found in a sandbox only");
      if (!/^\d{11}$/.test(bvn)) throw invalidInput("bvn", "must be eleven digits");
      if (!/^(\d{4}-\d\d-\d\d)?$/.test(dateOfBirth))
        throw invalidInput("dateOfBirth", "must be a date such as 1990-04-12");
      const isForeign = accessOf(tenantId) === undefined || (isProduction && !isSandbox(tenantId));
      if (isOperator && isForeign) return { stored: false };
      const entry = {
        bvn,
        firstName: textFromWire(firstName, "firstName", { maximum: 100 }),
        lastName: textFromWire(lastName, "lastName", { maximum: 100 }),
        dateOfBirth,
        phoneNumber: textFromWire(phoneNumber, "phoneNumber", { minimum: 0, maximum: 20 }),
      };
      const { status } = await send("PUT", "/v1/sandbox/bvns", { tenantId, signal }, entry);
      if (status === 400) throw invalidInput("bvn", "is not an entry that the register takes");
      return { stored: status === 200 };
    },
  } satisfies Partial<Handlers<RegisterServiceDefinition>>;
}
