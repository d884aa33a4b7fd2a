import { canonicalBytes, chainHash, fingerprintOf, genesisHash, type Hashable } from "./canonical.js";
import type { LinkedGroup, NewTransfer } from "./model.js";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

// The worked example of docs/decisions/0002-ledger-canonical-bytes.md.
const example: Hashable = {
  seq: 7n,
  timeMs: 1_795_000_000_123,
  key: "payment:p1:fee",
  mode: "POSTED",
  debitAccountId: "w-1",
  creditAccountId: "fee_income:USD",
  currency: "USD",
  amountMinor: 250n,
  kind: "fee",
  refersTo: "",
  effectiveAtMs: 1_795_000_000_000,
  day: 20_775,
  description: "Überweisung",
  metadata: [
    ["a", "1"],
    ["b", ""],
  ],
  interactionId: "i-1",
  createdBy: "u-1",
  service: "wallet",
  link: { key: "payment:p1:principal", index: 1, size: 2 },
  debitBalanceMinor: -1n,
  creditBalanceMinor: 250n,
};

test("the bytes of the published example never change", () => {
  expect(hex(canonicalBytes(example, genesisHash("tenant-1")))).toBe(
    [
      "01",
      hex(genesisHash("tenant-1")),
      "0000000000000007",
      "000001a1ee565e7b",
      `0000000e${hex(Buffer.from("payment:p1:fee"))}`,
      "01",
      `00000003${hex(Buffer.from("w-1"))}`,
      `0000000e${hex(Buffer.from("fee_income:USD"))}`,
      "00000003555344",
      "00000000000000fa",
      "ffffffffffffffff",
      "00000000000000fa",
      "00000003666565",
      "00000000",
      "00",
      "000001a1ee565e00",
      "0000000000005127",
      "00",
      "0000000cc39c62657277656973756e67",
      "00000003692d31",
      "00000003752d31",
      "0000000677616c6c6574",
      `00000014${hex(Buffer.from("payment:p1:principal"))}`,
      "00000001",
      "00000002",
      "00000002",
      "00000001610000000131",
      "000000016200000000",
    ].join(""),
  );
  // Both were computed by another program from the document's words.
  expect(hex(genesisHash("tenant-1"))).toBe("d52179e05a8f2f5bf6f9260880a10d7ef3415348af72af77b47469ee3352d59e");
  expect(hex(chainHash(example, genesisHash("tenant-1")))).toBe(
    "8a3fb909ec398d4a070b6575b206a1377dc7c74b374551c64f53f9fd846aa316",
  );
});

test("every field of a transfer changes its hash", () => {
  const changes: Partial<Record<keyof Hashable, unknown>> = {
    seq: 8n,
    timeMs: 1,
    key: "x",
    mode: "PENDING",
    debitAccountId: "x",
    creditAccountId: "x",
    currency: "EUR",
    amountMinor: 251n,
    kind: "x",
    refersTo: "x",
    dueAtMs: 0,
    effectiveAtMs: 1,
    day: 1,
    belongsTo: 1,
    description: "x",
    metadata: [["a", "1"]],
    interactionId: "x",
    createdBy: "x",
    service: "x",
    link: { ...example.link, index: 0 },
    debitBalanceMinor: 0n,
    creditBalanceMinor: 0n,
  };
  const hashes = Object.entries(changes).map(([field, value]) =>
    hex(chainHash({ ...example, [field]: value }, genesisHash("tenant-1"))),
  );
  const fields = Object.keys(changes);
  expect(Object.keys(example).filter((field) => !fields.includes(field))).toEqual([]);
  expect(new Set([...hashes, hex(chainHash(example, genesisHash("tenant-1")))]).size).toBe(fields.length + 1);
});

test("neighbouring texts cannot trade characters", () => {
  const hash = (kind: string, refersTo: string) => hex(chainHash({ ...example, kind, refersTo }, genesisHash("t")));
  expect(hash("ab", "c")).not.toBe(hash("a", "bc"));
});

test("a chain belongs to its tenant", () => {
  expect(hex(chainHash(example, genesisHash("tenant-1")))).not.toBe(hex(chainHash(example, genesisHash("tenant-2"))));
});

test("long texts in any script are hashed whole", () => {
  const long = { ...example, description: "€𝄞".repeat(2_000) };
  const bytes = Buffer.from(canonicalBytes(long, genesisHash("t")));
  expect(bytes.includes(Buffer.from(long.description, "utf8"))).toBe(true);
});

describe("a request's fingerprint", () => {
  const transfer: NewTransfer = {
    key: "k",
    mode: "PENDING",
    debitAccountId: "a",
    creditAccountId: "b",
    amount: { minor: 1n, currency: "USD" },
    kind: "test",
    refersTo: "",
    timeoutMs: 1_000,
    effectiveAtMs: 5,
    description: "",
    metadata: [],
  };
  const group: LinkedGroup = { transfers: [transfer], createdBy: "u", interactionId: "i", service: "wallet" };
  const of = (changes: Partial<NewTransfer>) =>
    hex(fingerprintOf({ ...group, transfers: [{ ...transfer, ...changes }] }));

  test("is that of its content: who asked, and under which interaction id, may differ", () => {
    expect(hex(fingerprintOf({ ...group, createdBy: "x", interactionId: "x" }))).toBe(hex(fingerprintOf(group)));
  });

  test("never changes for what an older version could ask: repeated keys are recognised by it for ever", () => {
    expect(hex(fingerprintOf(group))).toBe("3629e0151763696e56f1f63614bf905b305d0ecb2c22b23bf98124a2a9e485ae");
  });

  test("differs with anything that is asked", () => {
    const { amount: _, ...noAmount } = transfer;
    const others = [
      of({}),
      of({ key: "x" }),
      of({ mode: "POSTED" }),
      of({ debitAccountId: "x" }),
      of({ creditAccountId: "x" }),
      of({ amount: { minor: 2n, currency: "USD" } }),
      of({ amount: { minor: 1n, currency: "EUR" } }),
      hex(fingerprintOf({ ...group, transfers: [noAmount] })),
      of({ kind: "x" }),
      of({ refersTo: "x" }),
      of({ isUpTo: true }),
      of({ mode: "POSTED", refersTo: "x" }),
      of({ timeoutMs: 1 }),
      of({ effectiveAtMs: 6 }),
      of({ description: "x" }),
      of({ metadata: [["a", "b"]] }),
      hex(fingerprintOf({ ...group, service: "remittance" })),
      hex(fingerprintOf({ ...group, transfers: [transfer, { ...transfer, key: "k2" }] })),
    ];
    expect(new Set(others).size).toBe(others.length);
  });
});
