import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { Page } from "../../ui/page";
import { Loaded } from "../../ui/panels";
import { PolicyContent } from "./policy-content";
import { texts } from "./texts";

export default function PolicyVersionPage() {
  const t = useTexts(texts);
  const { version } = useParams({ strict: false }) as { version: string };
  const policy = useQuery(
    read("policy", "readCompliancePolicyVersion", { version }, (options) =>
      api.compliance.readPolicyVersion(version, options),
    ),
  );
  return (
    <Page title={t.versionNumber(version)} back={{ to: "/policy?show=versions", label: t.title }}>
      <Loaded query={policy} lines={10}>
        {(found) => <PolicyContent policy={found} />}
      </Loaded>
    </Page>
  );
}
