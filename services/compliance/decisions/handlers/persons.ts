import type {
  ComplianceServiceDefinition,
  NotePersonChangeRequest,
} from "../../../../proto/gen/compliance/v1/compliance.js";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import type { Call } from "../../../kernel/grpc/context.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { invalidInput } from "../../../kernel/refusal.js";
import { isForwarded } from "../clients/preferences.js";
import { preferenceFor } from "./contact-preference.js";
import { assess } from "../domain/customer.js";
import { requireAnew, fulfil, isMet, personParts, type PersonPart } from "../domain/requirements.js";
import { customerSubject, staffSubject } from "../../common/domain/subject.js";
import { idFromWire } from "../../../kernel/text/wire-text.js";
import { partyOfPerson } from "../../screening/wire/screened-parties.js";
import { originOf, type ComplianceDeps } from "../../common/handlers/deps.js";

/** What identity tells of people. */
export function personHandlers(deps: ComplianceDeps) {
  const { customers, people, screening, times } = deps;
  /** Compares them with lists as they are told of. */
  async function screen(request: NotePersonChangeRequest, id: string, call: Call): Promise<void> {
    const party = partyOfPerson(request);
    if (party.names.length === 0) return;
    const subject = request.isStaff ? staffSubject(id) : customerSubject(id);
    const trigger = isUnchanged(request) || request.changed.includes("REGISTERED") ? "REGISTERED" : "CHANGED";
    const time = await times.forTenant(call.tenantId, call.interactionId);
    const revision = isUnchanged(request) ? request.knownRevision : request.revision;
    await screening.noteSubject(originOf(call), { subject, party, trigger, revision }, time.now());
    crashPoint("compliance.person.screened");
  }

  return {
    async notePersonChange(request, call) {
      const customerId = idFromWire(request.customerId, "customerId");
      const { revision } = request;
      if (revision < 0) throw invalidInput("revision", "must not be below 0");
      if (request.knownRevision < 0) throw invalidInput("knownRevision", "must not be below 0");
      const changed = partsFromWire(request.changed, "changed");
      if (isUnchanged(request) && changed.length + request.proven.length > 0)
        throw invalidInput("revision", "must be at least 1 where something has changed");
      await screen(request, customerId, call);
      // Staff have no requirements, and who is only compared has new ones by no word of it.
      if (request.isStaff || isUnchanged(request)) return {};
      const proven = partsFromWire(request.proven, "proven");
      const person = await people.find({ customerId }, call);
      const preference = await preferenceFor(deps, person, call);
      // The platform's code does not count where the tenant's own provider verifies the contact.
      const counted = proven.filter((kind) => isContact(kind) && !isForwarded(kind, preference));
      const causes = [...changed.map((part) => `${part} changed`), ...counted.map((part) => `${part} proven`)];
      await customers.change(originOf(call), person, causes.join(", "), async (before, { now, policy }) => {
        if ((before.personRevision ?? 0) >= revision) return before;
        // A customer whom nobody has looked at yet gets their requirements here.
        const { requirements } = assess(before, person, policy, now).customer;
        const requested = requirements.map((one) => requireAnew(one, changed));
        const shown = requested.map((one) =>
          counted.includes(one.kind as PersonPart) && !isMet(one, now)
            ? fulfil(one, "registration", "proven by a code when they registered", now)
            : one,
        );
        const isOther = changed.includes("NAME") || changed.includes("DETAILS");
        const revisions = { personRevision: revision, ...(isOther && { detailsRevision: revision }) };
        return { ...before, requirements: shown, ...revisions, details: person.details };
      });
      return {};
    },
  } satisfies Partial<Handlers<ComplianceServiceDefinition>>;
}

/** Somebody of whom nothing has changed, to be compared with lists. */
function isUnchanged({ revision }: NotePersonChangeRequest): boolean {
  return revision === 0;
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
