import { isSandbox, sandboxIdOf } from "../../../platform/sandbox/sandbox.js";

/**
 * Whose the operator's lists are. Identity makes no tenant with an underscore, so nobody is it;
 * that of sandboxes ends as every sandbox does.
 */
export const operatorsLists = "_lists";
export const operatorsSandboxLists = sandboxIdOf(operatorsLists);

export function isOperators(owner: string): boolean {
  return owner === operatorsLists || owner === operatorsSandboxLists;
}

/** Whose lists count for a tenant where it has none of its own. */
export function operatorsOwnerFor(tenantId: string): string {
  return isSandbox(tenantId) ? operatorsSandboxLists : operatorsLists;
}
