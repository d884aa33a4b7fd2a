import { randomUUID } from "node:crypto";
import { startEdge, type Edge } from "./edge.js";
import { answerSamples, operationNamed } from "./operations.js";

/**
 * An edge for a whole test file, and what sends it an operation's sample as a
 * manager with parts of it changed.
 */
export function edgeAsManager() {
  let edge: Edge;
  beforeAll(async () => {
    edge = await startEdge();
  });
  beforeEach(() => answerSamples(edge));
  afterAll(() => edge.stop());

  async function sent(name: string, changed: object = {}, claims: object = {}) {
    const { request } = operationNamed(name);
    const token = await edge.token({ role: "MANAGER", userId: randomUUID(), ...claims });
    return edge.send({ ...request, ...changed, headers: { ...request.headers, "X-Auth-Token": token } });
  }
  return { edge: () => edge, sent };
}
