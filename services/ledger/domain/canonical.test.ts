import {
  accountContent,
  canonicalBytes,
  chainHash,
  fingerprintOf,
  genesisHash,
  recordHash,
  recordsGenesisHash,
  refusalContent,
  type Hashable,
} from "./canonical.js";
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

test("a record hashes what the document says", () => {
  const account = accountContent({
    accountId: "w-1",
    code: "customer_wallet",
    type: "LIABILITY",
    service: "wallet",
    currency: "USD",
    name: "Wallet é",
    ownerId: "c-1",
    flags: ["DEBITS_MUST_NOT_EXCEED_CREDITS", "CLOSED"],
    metadata: [["a", "1"]],
    createdAt: new Date(1_795_000_000_000),
  });
  const refusal = refusalContent({
    key: "k2",
    fingerprint: new Uint8Array(32).fill(7),
    decidedAt: new Date(1_795_000_000_123),
    interactionId: "i-1",
    createdBy: "u-1",
    service: "wallet",
    link: { key: "k1", index: 1, size: 2 },
    refusal: { code: "INSUFFICIENT_FUNDS", message: "no", transferIndex: 0, availableMinor: 5n, askedMinor: 250n },
    record: 1n,
  });
  const items = [
    { kind: "ACCOUNT", subject: "w-1", content: account },
    { kind: "ACCOUNT_CLOSED", subject: "w-1", content: account },
    { kind: "REFUSAL", subject: "k2", content: refusal },
    { kind: "PERIOD", subject: "2026-11-30", content: genesisHash("tenant-1") },
  ] as const;
  const record = { number: 1n, timeMs: 1_795_000_000_123, afterSeq: 0n, items };
  // All were computed by another program from the document's words.
  expect([recordsGenesisHash("tenant-1"), account, refusal].map(hex)).toEqual([
    "213c206d7a53ee6ddad059c88c3670dbc73f355c4401ec76843c73880463df41",
    "68718b8bd10afd6218fb6ed3ba270a8129ca76a9790e3958856dc02a6dfbf884",
    "a68f5968e4a8976978a9d1c9234e5c0d6eb6f1eede4e659e0f864c8495afe765",
  ]);
  expect(hex(recordHash(record, recordsGenesisHash("tenant-1")))).toBe(
    "dce045ce66c7df9ff9b80f1211135533c884d315ac8b1e15f3c0a2bffd8cf1f3",
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
      of({ staysWithin: "DEBIT", beyondMinor: 5n }),
      of({ staysWithin: "DEBIT", beyondMinor: 6n }),
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
