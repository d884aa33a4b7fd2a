import { startEdge, type Edge } from "../../test/gateway/edge.js";
import { answerSamples, operationNamed } from "../../test/gateway/operations.js";
import { workQueues } from "../../services/platform/work-queues/work-queue-names.js";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
beforeEach(() => answerSamples(edge));
afterAll(() => edge.stop());

const all = Object.values(workQueues).flat();

async function read(path: string, claims: object = {}, name = "listWorkQueues") {
  const { request } = operationNamed(name);
  const token = await edge.token({ role: "MANAGER", ...claims });
  return edge.send({ ...request, path, headers: { ...request.headers, "X-Auth-Token": token } });
}
const queues = async (claims: object = {}) => (await read("/api/v6/services/admin/work-queues", claims)).json.data;

test("a MANAGER is told of every queue; what a newer service counts beside them is left out", async () => {
  const { countWork } = edge.fakes.workQueues;
  edge.fakes.workQueues.countWork = async (request, call) => {
    const { queues: known = [] } = await countWork!(request, call);
    return { queues: [...known, { queue: "BIRTHDAYS", count: 1, isAtLeast: false }] };
  };
  const data = await queues();
  expect(data.queues.map(({ queue }: { queue: string }) => queue)).toEqual(all);
  expect(data.unavailable).toEqual([]);
  expect(data.queues[0]).toEqual({ queue: all[0], count: 2, oldestAt: "2026-11-21T10:15:00.000Z" });
});

test("an API token that may not read compliance learns nothing of its queues", async () => {
  const named = async (scopes: string[]) => {
    const { queues: found, unavailable } = await queues({ scopes });
    expect(unavailable).toEqual([]);
    return found.map(({ queue }: { queue: string }) => queue);
  };
  const others = all.filter((queue) => !(workQueues.compliance as readonly string[]).includes(queue));
  expect(await named(["reports:read"])).toEqual(others);
  expect(await named(["reports:read", "compliance:read"])).toEqual(all);
});

test("customers and approvals are asked for as the query says, in whose name it is asked", async () => {
  const requested: object[] = [];
  const { listManagedCustomers, listApprovals } = edge.fakes.identity;
  edge.fakes.identity.listManagedCustomers = async (request, call) => {
    requested.push(request);
    return listManagedCustomers!(request, call);
  };
  edge.fakes.identity.listApprovals = async (request, call) => {
    requested.push(request);
    return listApprovals!(request, call);
  };
  const base = "/api/v6/services";
  await read(`${base}/usermanagement/customers?search=amina%20bel&status=PENDING&size=20`);
  await read(`${base}/usermanagement/customers`);
  await read(`${base}/admin/approvals?kind=REFUND&subject=transaction:1&askedBy=me&size=5`, { userId: "u9" });
  expect(requested).toMatchObject([
    { agentId: "", search: "amina bel", status: "PENDING", pageSize: 20, pageToken: "" },
    { search: "", status: "", pageSize: 100 },
    { status: "", kind: "REFUND", subject: "transaction:1", askedBy: "u9", pageSize: 5 },
  ]);
  for (const query of ["customers?size=0", "customers?size=101", "customers?status=RICH"]) {
    expect((await read(`${base}/usermanagement/${query}`)).status).toBe(400);
  }
  expect((await read(`${base}/admin/approvals?kind=HOLIDAY`)).status).toBe(400);
});

// Last: the service does not come back.
test("queues of a service that is away are named, and the others are there all the same", async () => {
  await edge.servers.lending.stop(0);
  const data = await queues();
  expect(data.unavailable).toEqual(workQueues.lending);
  const present = data.queues.map(({ queue }: { queue: string }) => queue);
  expect(present).toEqual(all.filter((queue) => !(workQueues.lending as readonly string[]).includes(queue)));
});
