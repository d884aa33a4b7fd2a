import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Manilla } from "../../../sdk/src/index.js";
import { dataDirOf } from "../../local/cluster-file.js";
import { liveAMonth } from "./month.js";

interface DemoUser {
  email: string;
  password: string;
  role: string;
  customerCode?: string;
}

/**
 * Gives the sandbox of the first demo tenant a month behind it: `npm start` runs this beside the
 * cluster.
 */
async function main(): Promise<void> {
  const text = await readFile(join(dataDirOf(), "demo.json"), "utf8");
  const { baseUrl, tenants } = JSON.parse(text) as { baseUrl: string; tenants: { users: DemoUser[] }[] };
  const users = tenants[0]?.users ?? [];
  const [manager, other] = users.filter(({ role }) => role === "MANAGER");
  const customer = users.find(({ role, customerCode }) => role === "CUSTOMER" && customerCode !== undefined);
  if (manager === undefined || other === undefined || customer === undefined) return;
  const as = ({ email, password }: DemoUser) =>
    new Manilla({ baseUrl, credentials: { email, password }, sandbox: true, platform: "WEB" });
  const { customerCode = "", password } = customer;
  await liveAMonth({ manager: as(manager), other: as(other), customer: as(customer), customerCode, password }, (line) =>
    console.log(`month: ${line}`),
  );
}

main().catch((error: Error) => {
  console.error(`month: ${error.message}`);
  process.exitCode = 1;
});
