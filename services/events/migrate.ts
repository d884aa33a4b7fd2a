import { migrateDatabase } from "../shared/mongo/migrate.js";
import { migrations } from "./store/migrations.js";

await migrateDatabase("events", migrations);
