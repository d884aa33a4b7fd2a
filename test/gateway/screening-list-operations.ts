import type { ScreeningServiceDefinition } from "../../proto/gen/compliance/v1/screening.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
import type { Sent } from "./edge.js";

const base = "/api/v6/services/compliance/screening-lists";
const at = new Date("2026-11-21T10:15:00.000Z");
const sha256 = "a9d238c9149a939e26bb8d69405fa03c10e9c70f268947b6c33b6ecf8f095e38";

const row = (name: string, path: string, request: Partial<Sent> & { method: string }) => ({
  name,
  path: base + path,
  roles: ["MANAGER"] as const,
  request: { path: base + path.replace("{listId}", "list-1"), ...request },
});

/** A right request for every operation of screening lists. */
export const screeningListOperations = [
  row("screening lists", "", { method: "GET", path: `${base}?source=EU&status=ACTIVE&size=5` }),
  row("screening list", "/{listId}", { method: "GET" }),
  row("upload screening list part", "/parts", {
    method: "POST",
    body: { uploadKey: "k1", offset: 20_000_000, content: "aWQsbmFtZQo=" },
  }),
  row("load screening list", "/load", {
    method: "POST",
    body: {
      source: "OFAC_SDN",
      files: [
        { uploadKey: "k1", part: "SDN", sha256 },
        { uploadKey: "k2", part: "ALT", sha256 },
      ],
      publishedAt: "2026-11-20T00:00:00Z",
    },
  }),
  row("approve screening list", "/{listId}/approve", { method: "POST" }),
];

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
