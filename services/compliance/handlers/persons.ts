import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { invalidInput } from "../../shared/refusal.js";
import { isForwarded } from "../clients/preferences.js";
import { assess } from "../domain/customer.js";
import { askAnew, fulfil, isMet, personParts, type PersonPart } from "../domain/requirements.js";
import { idFromWire } from "../../shared/wire-text.js";

import { originOf, type ComplianceDeps } from "./deps.js";

type Deps = Pick<ComplianceDeps, "customers" | "people" | "preferences">;

/** What identity tells of people. */
export function personHandlers({
  customers,
  people,
  preferences,
}: Deps): Pick<Handlers<ComplianceServiceDefinition>, "notePersonChange"> {
  return {
    async notePersonChange(request, call) {
      // Staff have no requirements.
      if (request.isStaff) return {};
      const customerId = idFromWire(request.customerId, "customerId");
      const { revision } = request;
      if (revision < 1) throw invalidInput("revision", "must be at least 1");
      const changed = partsFromWire(request.changed, "changed");
      const proven = partsFromWire(request.proven, "proven");
      const person = await people.find({ customerId }, call);
      const preference = await preferences.of(call);
      // The platform's code does not count where the tenant's own provider verifies the contact.
      const counted = proven.filter((kind) => isContact(kind) && !isForwarded(kind, preference));
      const told = [...changed.map((part) => `${part} changed`), ...counted.map((part) => `${part} proven`)];
      await customers.change(originOf(call), person, told.join(", "), async (before, { now, policy }) => {
        if ((before.personRevision ?? 0) >= revision) return before;
        // A customer whom nobody has looked at yet gets their requirements here.
        const { requirements } = assess(before, person, policy, now).customer;
        const asked = requirements.map((one) => askAnew(one, changed));
        const shown = asked.map((one) =>
          counted.includes(one.kind as PersonPart) && !isMet(one, now)
            ? fulfil(one, "registration", "proven by a code when they registered", now)
            : one,
        );
        return { ...before, requirements: shown, personRevision: revision, details: person.details };
      });
      return {};
    },
  };
}

function isContact(part: PersonPart): part is "EMAIL" | "PHONE_NUMBER" {
  return part === "EMAIL" || part === "PHONE_NUMBER";
}

function partsFromWire(parts: readonly string[], path: string): PersonPart[] {
  return parts.map((text) => {
    const part = personParts.find((one) => one === text);
    if (part === undefined) throw invalidInput(path, `must be of ${personParts.join(", ")}`);
    return part;
  });
}
