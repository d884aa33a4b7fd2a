import { erasedText } from "../../../platform/erasure/erasure.js";
import type { Call } from "../../../kernel/grpc/context.js";
import type { People } from "../../decisions/clients/people.js";
import type { CustomerStatuses } from "../../screening/clients/customer-statuses.js";
import type { CaseContent, CaseTransaction, Named } from "../domain/case-content.js";
import type { CaseSubject } from "../../common/domain/case-join.js";
import type { Case } from "../domain/case.js";
import type { Screening } from "../../screening/domain/screening.js";
import { subjectName } from "../../common/domain/subject.js";
import type { ComplianceStore } from "../../decisions/store/index.js";
import type { ScreeningSubjectStore } from "../../screening/store/screening-subjects.js";
import type { ScreeningStore } from "../../screening/store/screenings.js";

/** As identity leaves who was erased there. */
const erasedName = `${erasedText} ${erasedText}`;

export interface ContentDeps {
  store: ComplianceStore;
  screenings: ScreeningStore;
  subjects: ScreeningSubjectStore;
  people: Pick<People, "knownOrNobody">;
  statuses: CustomerStatuses;
  /** Who was erased here, of those who are named. */
  erasedOf: (tenantId: string, customerIds: readonly string[]) => Promise<Set<string>>;
}

export interface ContentLimits {
  /** Newest ones of each case. */
  screenings: number;
  transactions: number;
  /**
   * Whether it is refused where remittance does not answer, or shown without what remittance knows.
   */
  needsStatuses: boolean;
}

export type CaseContents = ReturnType<typeof createCaseContents>;

/**
 * What officers see beside ids: names, what was found, and the money. Gathered: as many reads
 * for a page of cases as for one.
 */
export function createCaseContents({ store, screenings, subjects, people, statuses, erasedOf }: ContentDeps) {
  /** Transactions with where they stand, in one read and one call; by id. */
  async function transactionsOf(ids: readonly string[], needsStatuses: boolean, call: Call) {
    const found = await store.forTenant(call.tenantId).describeDecisions(ids);
    const remittances = found.filter(({ facts }) => facts.operation === "REMITTANCE");
    const requested = statuses.of(
      remittances.map(({ transactionId }) => transactionId),
      call,
    );
    // Cases are worked also while remittance is away.
    const known = needsStatuses ? await requested : await requested.catch(() => new Map<string, never>());
    return new Map(
      found.map((one): [string, CaseTransaction] => {
        const remittance = known.get(one.transactionId);
        return [one.transactionId, { ...one, ...(remittance !== undefined && { remittance }) }];
      }),
    );
  }

  /**
   * Of each subject its name, by subjectName: one read, and another where anybody has none. Of
   * `others` it is not asked whether they were erased.
   */
  async function namesOf(
    about: readonly CaseSubject[],
    call: Call,
    others: readonly CaseSubject[] = [],
  ): Promise<Map<string, Named>> {
    const { tenantId } = call;
    const refs = [...about, ...others].map(({ subjectKind, subjectId }) => ({ kind: subjectKind, id: subjectId }));
    const known = await subjects.forTenant(tenantId).namesOf(refs);
    const nameOf = (one: CaseSubject) => known.get(keyOf(one)) ?? "";
    const nameless = about.filter((one) => nameOf(one) === "" && one.customerId !== "");
    const erased = await erasedOf(tenantId, [...new Set(nameless.map(({ customerId }) => customerId))]);
    return new Map([...about, ...others].map((one) => [keyOf(one), named(nameOf(one), erased.has(one.customerId))]));
  }

  return {
    transactionsOf,
    namesOf,

    /**
     * Of each case, in their order. Refuses UNAVAILABLE where standings are
     * needed and remittance is away.
     */
    async ofCases(cases: readonly Case[], limits: ContentLimits, call: Call): Promise<CaseContent[]> {
      const joined = cases.flatMap(({ screeningIds }) => screeningIds);
      const [found, names] = await Promise.all([
        screenings.forTenant(call.tenantId).findMany([...new Set(joined)]),
        namesOf(cases, call),
      ]);
      const byId = new Map(found.map((one) => [one.screeningId, one]));
      const parts = cases.map((one) => {
        const own = one.screeningIds.flatMap((id) => byId.get(id) ?? []);
        const ids = [...new Set([...one.transactionIds, ...own.flatMap(({ transactionIds }) => transactionIds)])];
        return { one, own: newestFirst(own), ids };
      });
      // Ids do not rise with time everywhere; those that joined last
      // are the newest that a case knows.
      const shown = new Set(parts.flatMap(({ ids }) => ids.slice(-limits.transactions)));
      const transactions = await transactionsOf([...shown], limits.needsStatuses, call);
      return parts.map(({ one, own, ids }) => ({
        subject: orAsScreened(names.get(keyOf(one)), own),
        screenings: own.slice(0, limits.screenings),
        hitCount: own.reduce((sum, { hits }) => sum + hits.length, 0),
        transactions: ids
          .slice(-limits.transactions)
          .flatMap((id) => transactions.get(id) ?? [])
          .toSorted((a, b) => b.requestedAt.getTime() - a.requestedAt.getTime()),
        transactionCount: ids.length,
      }));
    },

    /**
     * A name that nobody here has been told, as identity has it; what is asked of one case alone.
     */
    async orAsIdentityHasIt(subject: Named, { subjectKind, customerId }: CaseSubject, call: Call): Promise<Named> {
      if (subject.state !== "UNKNOWN" || subjectKind !== "CUSTOMER") return subject;
      const name = (await people.knownOrNobody(customerId, call))?.party.names[0] ?? "";
      return name === erasedName ? named("", true) : named(name, false);
    },
  };
}

function keyOf({ subjectKind, subjectId }: CaseSubject): string {
  return subjectName({ kind: subjectKind, id: subjectId });
}

function named(name: string, isErased: boolean): Named {
  if (name !== "") return { state: "KNOWN", name };
  return { state: isErased ? "ERASED" : "UNKNOWN", name: "" };
}

/** Of whom nothing is known beside what was found. */
function orAsScreened(known: Named | undefined, [newest]: readonly Screening[]): Named {
  return known !== undefined && known.state !== "UNKNOWN" ? known : named(newest?.name ?? "", false);
}

/** Ids rise with time. */
function newestFirst(screenings: readonly Screening[]): Screening[] {
  return screenings.toSorted((a, b) => (a.screeningId < b.screeningId ? 1 : -1));
}
