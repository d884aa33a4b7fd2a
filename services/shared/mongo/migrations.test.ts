import { silentLog, testDatabase, type TestDatabase } from "../../../test/support/index.js";
import { runMigrations } from "./migrations.js";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase("migrations");
});
afterAll(() => database.close());

test("runs each migration once when replicas start together", async () => {
  const ran: string[] = [];
  const migrations = ["0001-a", "0002-b"].map((id) => ({ id, up: async () => void ran.push(id) }));
  await Promise.all([1, 2, 3].map(() => runMigrations(database.db, migrations, silentLog)));
  expect(ran).toEqual(["0001-a", "0002-b"]);
});
