import type { Installation } from "./installations.js";

const maxOpened = 10_000;

/**
 * What is open at each installation as it is now, opened when it is first asked for;
 * another revision is opened anew.
 */
export function openPerRevision<Opened>(open: (tenantId: string, installation: Installation) => Opened) {
  const opened = new Map<string, { revision: number; made: Opened }>();

  /** As it was opened; undefined where nobody has asked for it as it is now. */
  function known({ installationId, revision }: Installation): Opened | undefined {
    const found = opened.get(installationId);
    return found?.revision === revision ? found.made : undefined;
  }

  return {
    known,
    of(tenantId: string, installation: Installation): Opened {
      const found = known(installation);
      if (found !== undefined) return found;
      if (opened.size >= maxOpened) opened.clear();
      const made = open(tenantId, installation);
      opened.set(installation.installationId, { revision: installation.revision, made });
      return made;
    },
  };
}
