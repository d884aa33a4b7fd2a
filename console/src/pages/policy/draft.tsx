import { useQuery } from "@tanstack/react-query";
import { FilePlus2 } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { Button } from "../../ui/button";
import { Empty, Loaded } from "../../ui/panels";
import { contentOf } from "./content";
import { DraftEditor } from "./draft-editor";
import { texts } from "./texts";
import type { Content, Draft } from "./types";
import { usePublished } from "./use-published";

/** The draft that is there; null where none is saved. */
async function readDraft(options: Parameters<typeof api.compliance.readPolicyDraft>[0]): Promise<Draft | null> {
  const draft = await api.compliance.readPolicyDraft(options);
  return draft.revision === 0 ? null : draft;
}

const nothing: Content = { knowYourCustomerRules: [], transactionRules: [], dailyLimits: [], transparencyProfiles: [] };

export function DraftTab() {
  const t = useTexts(texts);
  const draft = useQuery(read("policy", "readCompliancePolicyDraft", {}, (options) => readDraft(options)));
  const published = usePublished();
  const [begun, setBegun] = useState<Content>();
  return (
    <Loaded query={draft} lines={10}>
      {(found) => (
        <Loaded query={published} lines={10}>
          {(inForce) => {
            const content = found ?? begun;
            if (content === undefined) {
              return (
                <Begin onBegin={() => setBegun(inForce === null ? nothing : contentOf(inForce))} hint={t.noDraftHint} />
              );
            }
            return (
              <DraftEditor
                // A draft that was published or begun anew is another one.
                key={found === null ? "begun" : "saved"}
                draft={found}
                start={contentOf(content)}
                inForce={inForce}
                onDiscard={() => setBegun(undefined)}
              />
            );
          }}
        </Loaded>
      )}
    </Loaded>
  );
}

function Begin({ onBegin, hint }: { onBegin: () => void; hint: string }) {
  const t = useTexts(texts);
  return (
    <div className="card">
      <Empty title={t.noDraft}>
        <p className="mb-3">{hint}</p>
        <Button icon={FilePlus2} variant="primary" onClick={onBegin}>
          {t.begin}
        </Button>
      </Empty>
    </div>
  );
}
