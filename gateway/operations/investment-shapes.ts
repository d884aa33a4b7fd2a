import { z } from "zod";
import { wholeNumberIn } from "../schema.js";

// A JSON number carries no more units than these exactly.
const maxUnits = 999_999_999_999_999;

export const uuidIn = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, "must be a UUID");
export const unitsIn = wholeNumberIn(1, maxUnits);

export const dateIn = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/, "must be a date, YYYY-MM-DD")
  .meta({ format: "date" });
export const dateOut = z.string().meta({ format: "date" });

/** Of deploy/seed/demo.yaml. */
export const demoProduct = "7f8a2c10-5b1e-4c7e-9a3d-2f6b8d4e1a01";
