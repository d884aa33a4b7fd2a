const key = "manilla.sandbox";

/**
 * Whether this tab looks at the sandbox. Decided once a page, so that
 * nothing of the other is in it.
 */
export const isSandbox = sessionStorage.getItem(key) === "1";

export const pathPrefix = isSandbox ? "/sandbox" : "";

/** Begins anew in the other environment. */
export function switchEnvironment(): void {
  note();
  location.assign("/console/");
}

/** The same page of the other environment: both have the same addresses. */
export function openOther(): void {
  note();
  location.reload();
}

function note(): void {
  sessionStorage.setItem(key, isSandbox ? "0" : "1");
}
