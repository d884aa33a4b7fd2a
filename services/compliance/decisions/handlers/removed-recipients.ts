import type { ComplianceServiceDefinition } from "../../../../proto/gen/compliance/v1/compliance.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { idFromWire } from "../../../kernel/text/wire-text.js";
import { isOpen } from "../../screening/domain/screening.js";
import { recipientSubject, type SubjectRef } from "../../common/domain/subject.js";
import type { Session } from "../store/index.js";
import type { TenantSubjects } from "../../screening/store/screening-subjects.js";
import type { TenantScreenings } from "../../screening/store/screenings.js";
import type { ComplianceDeps } from "../../common/handlers/deps.js";

/** Recipients whom nothing is sent to any more, and who owned their accounts. */
export function removedRecipientHandlers({ store, screenings, subjects }: ComplianceDeps) {
  return {
    async forgetRecipient({ customerId, recipientCode }, { tenantId }) {
      const owner = idFromWire(customerId, "customerId");
      const code = idFromWire(recipientCode, "recipientCode");
      const both = [false, true].map((isHolder) => recipientSubject(owner, code, isHolder));
      const [known, found] = [subjects.forTenant(tenantId), screenings.forTenant(tenantId)];
      const forget = async (session: Session) => {
        let isKept = false;
        for (const subject of both) {
          if (await isWaitedFor(subject, known, found, session)) isKept = true;
          else await known.remove(subject, session);
        }
        return { isKept };
      };
      // A commit that is unknown is repeated, and finds nobody left.
      return store.transaction(forget, async () => undefined);
    },
  } satisfies Partial<Handlers<ComplianceServiceDefinition>>;
}

/**
 * Whether a person has to decide on them, or they were left to be compared with
 * the rest. Locks whoever is known.
 */
async function isWaitedFor(
  subject: SubjectRef,
  subjects: TenantSubjects,
  screenings: TenantScreenings,
  session: Session,
): Promise<boolean> {
  const known = await subjects.lock(subject, session, { upsert: false });
  if (known === undefined) return false;
  const open = await screenings.findOpenOf(subject, session);
  return known.basis === "" || open.some(({ hits }) => hits.some(isOpen));
}
