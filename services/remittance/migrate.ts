import { migrateDatabase } from "../kernel/mongo/migrate.js";
import { migrations } from "./store/migrations.js";

await migrateDatabase("remittance", migrations);
