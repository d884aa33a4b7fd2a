// A rotation of the master key in a process of its own, which a test kills at a crash point.
import { createDataKeys } from "../../services/kernel/keys/data-keys.js";
import { createFileKeys } from "../../services/kernel/keys/file-keys.js";
import { connectMongo } from "../../services/kernel/mongo/connect.js";
import { silentLog } from "./index.js";

const { uri, database, file, retire } = JSON.parse(process.env["REWRAP_PROCESS"] ?? "{}") as Record<string, string>;
const mongo = await connectMongo({ uri: uri!, database: database!, log: silentLog });
const wrapper = createFileKeys(file!);
const { wrapped } = createDataKeys({ db: mongo.db, wrapper, service: "remittance", purpose: "a" });
while ((await wrapped.rewrap(2)).remaining > 0);
await wrapped.retire(retire!, new Date());
await mongo.close();
process.exit(0);
