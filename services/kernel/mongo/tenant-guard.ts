import { checkValue, isPlain, plain, TenantGuardError, type Plain } from "./values.js";

// Everything else could read or write another collection, or must come first and so could not be
// narrowed to a tenant.
const stages: ReadonlySet<string> = new Set([
  "$match",
  "$project",
  "$addFields",
  "$set",
  "$unset",
  "$group",
  "$sort",
  "$limit",
  "$skip",
  "$unwind",
  "$count",
  "$facet",
  "$replaceRoot",
  "$replaceWith",
  "$bucket",
  "$bucketAuto",
  "$sortByCount",
  "$sample",
  "$setWindowFields",
  "$fill",
  "$densify",
]);

const operators: ReadonlySet<string> = new Set([
  "$set",
  "$unset",
  "$setOnInsert",
  "$inc",
  "$min",
  "$max",
  "$currentDate",
  "$push",
  "$addToSet",
  "$pull",
  "$pullAll",
  "$pop",
  "$rename",
]);

/** What is done to every filter, document, update and pipeline before it reaches the driver. */
export interface Guard {
  filter(filter: unknown): Plain;
  document(document: unknown): Plain;
  update(update: unknown): Plain;
  pipeline(pipeline: unknown): Plain[];
}

/** Guard of one tenant: its id goes into everything, another one anywhere is refused. */
export function tenantGuard(tenantId: string): Guard {
  if (typeof tenantId !== "string" || tenantId === "") throw new TenantGuardError("a tenant id is needed");
  return {
    filter: (filter) => tenantFilter(filter, tenantId),
    document: (document) => tenantDocument(document, tenantId),
    update: tenantUpdate,
    pipeline: (pipeline) => [{ $match: { tenantId } }, ...tenantPipeline(pipeline, tenantId)],
  };
}

/**
 * Guard of `acrossTenants`: ranges and server-side JavaScript are still checked, tenants are not.
 */
export const rangeGuard: Guard = {
  filter: (filter) => checkedFilter(filter),
  document: (document) => checked(document, "document"),
  update: (update) => (Array.isArray(update) ? (checkValue(update, "update"), update as never) : checkedUpdate(update)),
  pipeline: (pipeline) => (checkValue(pipeline, "pipeline"), pipeline as Plain[]),
};

function checked(value: unknown, what: string): Plain {
  checkValue(value, what);
  return plain(value, what);
}

function checkedFilter(filter: unknown, visit?: (key: string, value: unknown) => void): Plain {
  checkValue(filter, "filter", (key, value) => {
    // The driver leaves an undefined condition out, which would widen the filter to everything.
    if (value === undefined) throw new TenantGuardError(`filter.${key} is undefined`);
    visit?.(key, value);
  });
  return plain(filter, "filter");
}

function tenantFilter(filter: unknown, tenantId: string): Plain {
  const conditions = checkedFilter(filter, (key, value) => {
    if (namesTenant(key) && value !== tenantId) throw new TenantGuardError(`filter names another tenant at ${key}`);
  });
  return { ...conditions, tenantId };
}

function namesTenant(path: string): boolean {
  return path === "tenantId" || path.startsWith("tenantId.") || path.endsWith(".tenantId");
}

function tenantDocument(document: unknown, tenantId: string): Plain {
  const content = checked(document, "document");
  if (Object.hasOwn(content, "tenantId") && content["tenantId"] !== tenantId) {
    throw new TenantGuardError("document belongs to another tenant");
  }
  return { ...content, tenantId };
}

function tenantUpdate(update: unknown): Plain {
  const changes = checkedUpdate(update);
  for (const [operator, fields] of Object.entries(changes)) {
    for (const [path, value] of Object.entries(plain(fields, operator))) {
      const target = operator === "$rename" ? String(value) : path;
      if (touchesTenant(path) || touchesTenant(target)) throw new TenantGuardError(`${operator} touches tenantId`);
    }
  }
  return changes;
}

function touchesTenant(path: string): boolean {
  return path === "tenantId" || path.startsWith("tenantId.");
}

/**
 * Operators only: a replacement or a pipeline could move a document to another tenant or compute
 * money in doubles.
 */
function checkedUpdate(update: unknown): Plain {
  if (Array.isArray(update)) throw new TenantGuardError("an update by pipeline is refused");
  checkValue(update, "update", (key, value) => {
    if (value === undefined) throw new TenantGuardError(`update of ${key} to undefined: use $unset`);
  });
  const changes = plain(update, "update");
  for (const [operator, fields] of Object.entries(changes)) {
    if (!operators.has(operator)) throw new TenantGuardError(`update operator ${operator} is refused`);
    if (operator === "$inc") Object.entries(plain(fields, "$inc")).forEach(checkIncrement);
  }
  return changes;
}

/** A double in `$inc` turns an int64 field into a double. */
function checkIncrement([path, value]: [string, unknown]): void {
  if (typeof value === "bigint" || (Number.isInteger(value) && Math.abs(value as number) < 2 ** 31)) return;
  throw new TenantGuardError(`$inc of ${path} must be a bigint or a small integer`);
}

function tenantPipeline(pipeline: unknown, tenantId: string): Plain[] {
  if (!Array.isArray(pipeline)) throw new TenantGuardError("a pipeline is an array of stages");
  checkValue(pipeline, "pipeline");
  return pipeline.map((stage: unknown) => checkStage(plain(stage, "stage"), tenantId));
}

function checkStage(stage: Plain, tenantId: string): Plain {
  const [name, ...others] = Object.keys(stage);
  if (name === undefined || others.length > 0) throw new TenantGuardError("a stage has exactly one name");
  if (!stages.has(name)) throw new TenantGuardError(`stage ${name} is refused`);
  const content = stage[name];
  if (name === "$match") tenantFilter(content, tenantId);
  if (name === "$facet" && isPlain(content)) {
    for (const branch of Object.values(content)) tenantPipeline(branch, tenantId);
  }
  return stage;
}
