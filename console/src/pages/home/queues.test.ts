import { workQueues } from "../../../../services/platform/work-queues/work-queue-names";
import { caseQueues, loanApplicationStatuses, screeningStatuses } from "../../generated/enums";
import { groups, waitingIn } from "./queues";

const known: Readonly<Record<string, readonly string[]>> = {
  "/screenings?status": screeningStatuses,
  "/cases?queue": caseQueues,
  "/loans?status": loanApplicationStatuses,
};

// A filter that the API does not know is refused, and the desk would
// show a fault instead of the work.
test("queues lead to lists by filters that these lists have", () => {
  const all = Object.values(workQueues)
    .flat()
    .map((queue) => ({ queue, count: 1 }));
  const links = groups.flatMap((group) => waitingIn(group, all)).flatMap(({ to }) => to ?? []);
  const filters = links.flatMap((to) => {
    const [path = "", query = ""] = to.split("?");
    return [...new URLSearchParams(query)].map(([name, value]) => ({ list: `${path}?${name}`, value }));
  });
  const ofCodes = filters.filter(({ list }) => list in known);
  expect(ofCodes.length).toBeGreaterThanOrEqual(5);
  expect(ofCodes.filter(({ list, value }) => !known[list]?.includes(value))).toEqual([]);
});
