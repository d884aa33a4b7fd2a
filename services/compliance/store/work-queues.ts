import type { Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import { tenantCollection, type Filter } from "../../kernel/mongo/tenant-collection.js";
import type { QueueName } from "../../platform/work-queues/work-queue-names.js";
import { counted, countWork, type WorkQueue } from "../../platform/work-queues/work-queues.js";
import type { Case } from "../cases/domain/case.js";
import { operatorsOwnerFor } from "../lists/domain/list-owner.js";
import { filterOf, type Queue } from "../cases/store/case-queues.js";
import { collections } from "../common/store/collections.js";
import { reviewable, type StoredDecision } from "../decisions/store/decisions.js";
import type { FileRow } from "../decisions/store/documents.js";
import type { StoredList } from "../lists/store/screening-lists.js";
import { notOf, type StoredScreening } from "../screening/store/screenings.js";

/** Of a member of staff, who is shown nothing that is about them. */
interface Reader {
  userId: string;
  now: Date;
}

const caseQueues: readonly [QueueName, Queue][] = [
  ["CASES_OPEN", "OPEN"],
  ["CASES_OVERDUE", "OVERDUE"],
  ["CASES_UNASSIGNED", "UNASSIGNED"],
  ["CASES_MINE", "MINE"],
];

/** What compliance officers have before them. */
export function createWorkQueueStore(db: Connection) {
  const cases = recordCollection<Case>(db, collections.cases);
  const decisions = recordCollection<StoredDecision>(db, collections.decisions);
  const screenings = recordCollection<StoredScreening>(db, collections.screenings);
  const documents = tenantCollection<FileRow>(db, collections.documentFiles);
  const lists = tenantCollection<StoredList>(db, collections.screeningLists);

  /**
   * The tenant's own in place of the operator's; as old as the one that was
   * last seen current longest ago.
   */
  async function listsInUse(tenantId: string): Promise<WorkQueue> {
    const owners = [operatorsOwnerFor(tenantId), tenantId];
    const found = await Promise.all(owners.map((owner) => lists.forTenant(owner).find({ isActive: true })));
    const inUse = new Map(found.flat().map((list) => [list.source, list.lastSeenAt]));
    const [stalest] = [...inUse.values()].toSorted((one, other) => one.getTime() - other.getTime());
    return counted("SCREENING_LISTS_IN_USE", inUse.size, stalest);
  }

  return {
    forTenant: (tenantId: string) => ({
      countWork({ userId, now }: Reader): Promise<WorkQueue>[] {
        const ofCases = caseQueues.map(([name, queue]) =>
          countWork(cases.forTenant(tenantId), name, {
            filter: filterOf({ queue, caller: userId, now }) as Filter<Case>,
            oldest:
              queue === "OVERDUE"
                ? { sort: { dueAt: 1, number: 1 }, at: ({ dueAt }) => dueAt }
                : { sort: { number: 1 }, at: ({ openedAt }) => openedAt },
          }),
        );
        const reviews = countWork(decisions.forTenant(tenantId), "REVIEWS_WAITING", {
          filter: reviewable,
          oldest: {
            sort: { transactionId: 1 },
            at: ({ decidedAt, earlier }) => earlier[0]?.decidedAt ?? decidedAt,
          },
        });
        const hits = countWork(screenings.forTenant(tenantId), "SCREENING_HITS_IN_REVIEW", {
          filter: { hasOpenHits: true, ...notOf(userId) } as Filter<StoredScreening>,
          oldest: { sort: { screeningId: 1 }, at: ({ screenedAt }) => screenedAt },
        });
        const submitted = countWork(documents.forTenant(tenantId), "DOCUMENTS_TO_REVIEW", {
          filter: { "metadata.state": "SUBMITTED" } as Filter<FileRow>,
          oldest: { sort: { _id: 1 }, at: ({ uploadDate }) => uploadDate },
        });
        return [...ofCases, reviews, hits, submitted, listsInUse(tenantId)];
      },
    }),
  };
}
