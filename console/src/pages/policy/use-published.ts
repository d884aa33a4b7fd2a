import { useQuery } from "@tanstack/react-query";
import { api } from "../../lib/api";
import { read } from "../../lib/queries";

/** What is in force, whole; undefined where nothing was published yet. */
export function usePublished() {
  return useQuery(
    read("policy", "readCompliancePolicyVersion", { newest: true }, async (options) => {
      const { items } = await api.compliance.listPolicyVersions({ size: 1 }, options).page();
      const [newest] = items;
      return newest ? await api.compliance.readPolicyVersion(String(newest.version), options) : null;
    }),
  );
}
