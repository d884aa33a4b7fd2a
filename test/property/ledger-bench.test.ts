import { accountsEach, createContenders, runRounds } from "../bench/ledger/contenders.js";
import { openBook } from "../bench/ledger/database.js";
import { mediansTable, targetResults } from "../bench/ledger/report.js";
import { testMongoUri } from "../support/index.js";

// The figures mean nothing here: this is that the benchmark still runs. What meets write conflicts
// is left to it.
const short = ["b many", "b hot", "c many", "c hot", "a one", "c one"];

test("npm run bench:ledger measures every contender in process and reports them", async () => {
  const run = process.env["TEST_RUN"];
  const open = (name: string) => openBook(testMongoUri(), `test_${run}_bench_${name}`, accountsEach);
  const books = [await open("single"), await open("bare"), await open("ours")] as const;
  const [single, bare, inProcess] = [books[0].book, books[1].book, books[2].book];
  const { contenders, stop } = createContenders({ single, bare, inProcess }, undefined);
  try {
    const chosen = contenders.filter(({ name }) => short.includes(name));
    const samples = await runRounds(chosen, { rounds: 1, warmMs: 200, runMs: 500, mongodPid: process.pid });
    expect([...samples.keys()]).toEqual(short);
    expect(samples.get("c many")![0]!.transfersPerS).toBeGreaterThan(0);
    expect(targetResults(samples).map(({ what }) => what)).toContain("(c) of (b), many accounts");
    expect(mediansTable(samples)).toMatch(/^\| \(c\) ours, in process \| 64, one hot account \| [\d,]+ \|/m);
  } finally {
    await stop();
    for (const { connection } of books) await connection.close();
  }
});
