import { migrateDatabase } from "../shared/mongo/migrate.js";
import { migrations } from "./migrations.js";

await migrateDatabase("lending", migrations);
