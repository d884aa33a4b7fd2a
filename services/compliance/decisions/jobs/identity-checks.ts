import { v7 as uuidv7 } from "uuid";
import type { Clock } from "../../../kernel/time/clock.js";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import { printJson } from "../../../kernel/json.js";
import {
  doublingPause,
  type Outbox,
  type OutboxRow,
  type RelayContext,
  type RowHandler,
} from "../../../kernel/outbox/index.js";
import { Refusal } from "../../../kernel/refusal.js";
import type { Customers } from "../checks/customers.js";
import { checkIdentity, type IdentityAnswer } from "../clients/identity-checks.js";
import type { PartnersOfKinds } from "../../common/clients/installed-partners.js";
import type { People } from "../clients/people.js";
import type { Person } from "../domain/customer.js";
import { identityQuestion } from "../domain/identity-check.js";
import { fulfil, renew } from "../domain/requirements.js";
import type { ComplianceStore, Session } from "../store/index.js";
import { sealedJoinRow } from "../../common/store/join-rows.js";
import { identityCheckRow, rowKinds } from "../../common/store/outbox-rows.js";
import type { TextCipher } from "../../screening/store/screening-cipher.js";

export interface IdentityCheckDeps {
  store: ComplianceStore;
  customers: Pick<Customers, "change">;
  people: Pick<People, "identified">;
  partners: PartnersOfKinds;
  screeningCipher: TextCipher;
  outbox: Outbox;
  clock: Clock;
}

interface Payload extends Record<string, unknown> {
  customerId: string;
  version: number;
  pending?: string;
}

/** What a partner said of somebody, under which reference. */
interface Checked extends IdentityAnswer {
  reference: string;
  installationId: string;
}

const pauseMs = doublingPause({ firstMs: 1_000, mostMs: 600_000, doublings: 10 });

/**
 * Has a tenant's own partner check who somebody is; without one nothing is done. A row that runs
 * again asks under the same reference, and what it keeps is kept once.
 */
export function identityChecks(deps: IdentityCheckDeps): Record<string, RowHandler> {
  const { store, people, partners } = deps;
  return {
    async [rowKinds.checkIdentity](row, { signal, complete }) {
      const { tenantId, interactionId } = row;
      const { customerId, pending } = row.payload as Payload;
      const call = { tenantId, interactionId, signal };
      const customer = await store.forTenant(tenantId).findCustomer(customerId);
      const reference = customer && identityQuestion(customer);
      if (reference === undefined || reference === customer?.identityAnswered) return;
      const partner = await partners.of("IDENTITY_CHECK", call);
      if (partner === undefined) {
        // What was begun goes on when the partner is enabled again.
        if (row.seq > 1 && (await partners.has("IDENTITY_CHECK", call))) await pollLater(deps, row, pending, complete);
        return;
      }
      const found = await people.identified(customerId, call);
      if (found?.identity === undefined) return;
      const requested = { reference, isPending: pending === reference, ...found.identity };
      const answer = await checkIdentity(partner, requested, call).catch(unlessUnanswered);
      crashPoint("compliance.identity.answered");
      if (answer === undefined) return pollLater(deps, row, pending, complete);
      if (answer.status === "PENDING") return pollLater(deps, row, reference, complete);
      await keepAnswer(deps, row, found.person, { ...answer, reference, installationId: partner.installationId });
    },
  };
}

/**
 * Ends the row and adds the next: partners may take days, in which no row fails and none is parked.
 */
async function pollLater(
  { store, outbox }: IdentityCheckDeps,
  row: OutboxRow,
  pending: string | undefined,
  complete: RelayContext["complete"],
): Promise<void> {
  const { customerId, version } = row.payload as Payload;
  const next = { customerId, version, look: row.seq + 1, ...(pending !== undefined && { pending }) };
  const dueAt = outbox.inMs(pauseMs(row.seq));
  await store.transaction(
    async (session) => {
      await outbox.add({ ...identityCheckRow(row, next), dueAt }, session);
      await complete(session);
      return true;
    },
    // Begun again after it was committed, it finds its lease gone.
    async () => undefined,
  );
}

async function keepAnswer(deps: IdentityCheckDeps, row: OutboxRow, person: Person, checked: Checked): Promise<void> {
  const { reference, status } = checked;
  await deps.customers.change(row, person, "identity checked", async (before, { now, session }) => {
    // Their name or document may be another one since: then there is a row for it.
    if (identityQuestion(before) !== reference || before.identityAnswered === reference) return before;
    if (status !== "VERIFIED") {
      await joinCase(deps, row, checked, now, session);
      return { ...before, identityAnswered: reference };
    }
    await deps.store.forTenant(row.tenantId).insertAudit(verifiedEntry(deps, row, checked), session);
    const requirements = before.requirements.map((one) =>
      one.kind === "IDENTITY_DOCUMENT" ? fulfil(renew(one), "provider", "verified by the external provider", now) : one,
    );
    return { ...before, requirements };
  });
  crashPoint("compliance.identity.kept");
}

function verifiedEntry({ clock }: IdentityCheckDeps, { payload, interactionId }: OutboxRow, checked: Checked) {
  const { customerId } = payload as Payload;
  const { status, reference, installationId } = checked;
  const subject = `customer:${customerId}`;
  return {
    entryId: uuidv7(),
    at: clock.now(),
    actor: "compliance",
    role: "",
    action: "identity.verify",
    subject,
    subjects: [subject],
    reason: "",
    content: printJson({ status, reference, installationId }),
    interactionId,
  };
}

/** The partner's words may quote people, so they lie sealed. */
async function joinCase(
  { screeningCipher, outbox }: IdentityCheckDeps,
  row: OutboxRow,
  { status, reason, reference }: Checked,
  at: Date,
  session: Session,
): Promise<void> {
  const { customerId } = row.payload as Payload;
  const text = `The check of their identity was answered ${status}${reason === "" ? "" : `: ${reason}`}.`;
  const join = {
    subjectKind: "CUSTOMER",
    subjectId: customerId,
    customerId,
    kind: "MONITORING",
    event: "IDENTITY",
    text,
    actor: "compliance",
    at,
  } as const;
  await outbox.add(await sealedJoinRow(screeningCipher, row, [`identity-check:${reference}`, 1], join), session);
}

function unlessUnanswered(error: unknown): undefined {
  if (error instanceof Refusal && error.code === "UNAVAILABLE") return undefined;
  throw error;
}
