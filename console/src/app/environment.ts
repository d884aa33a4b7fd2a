const key = "manilla.sandbox";

/** Whether this tab looks at the sandbox. Decided once a page, so that nothing of the other is in it. */
export const isSandbox = sessionStorage.getItem(key) === "1";

export const pathPrefix = isSandbox ? "/sandbox" : "";

/** Begins anew in the other environment. */
export function switchEnvironment(): void {
  sessionStorage.setItem(key, isSandbox ? "0" : "1");
  location.assign("/console/");
}
