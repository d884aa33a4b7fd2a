import type { ScreeningServiceDefinition } from "../../proto/gen/compliance/v1/screening.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
const at = new Date("2026-11-21T10:15:00.000Z");
const sha256 = "a9d238c9149a939e26bb8d69405fa03c10e9c70f268947b6c33b6ecf8f095e38";

const sample = {
  listId: "list-1",
  source: "EU",
  version: 3,
  publishedAt: at,
  sha256,
  entries: 4_521,
  added: 12,
  changed: 40,
  removed: 1_800,
  status: "WAITING",
  reason: "removes 1800 of 6309 entries (28.5 %)",
  line: 0,
  loadedAt: at,
  loadedBy: "connector",
  approvedBy: "",
  isOperators: true,
  isUsed: true,
};

/** What the played lists answer. */
export const screeningListSamples = {
  listScreeningLists: async () => ({ lists: [sample], nextCursor: "2026-11-21T10:15:00.000Z.list-1" }),
  getScreeningList: async () => ({
    list: { ...sample, status: "FAILED", reason: "ends inside quotes: the file is cut", line: 4_711 },
  }),
  uploadScreeningListPart: async () => ({}),
  loadScreeningList: async () => ({ list: { ...sample, status: "LOADING", reason: "" } }),
  approveScreeningList: async () => ({ list: { ...sample, status: "ACTIVE", approvedBy: "u2" } }),
} satisfies Partial<Handlers<ScreeningServiceDefinition>>;
