import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { ArrowLeftRight, Ban, RotateCcw, SquarePen } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { pollMs } from "../../lib/queries";
import { useMay } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { Page, Stack } from "../../ui/page";
import { Loaded, Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import { useAction } from "../../ui/use-action";
import { ConfigurationDialog } from "./configuration-dialog";
import { ConfigurationFacts } from "./configuration";
import { FloatDialog } from "./float-dialog";
import { Accounts } from "./gauge";
import { agentStales, configurationQuery } from "./queries";
import { texts } from "./texts";
import type { Configuration } from "./types";

/** One agent: how they sell, and what they have. */
export default function AgentPage() {
  const t = useTexts(texts);
  const { agentId } = useParams({ strict: false }) as { agentId: string };
  const may = useMay();
  // What two managers agree on about a person is told by no event.
  const configuration = useQuery({ ...configurationQuery(agentId), refetchInterval: pollMs });
  const [isFloat, setFloat] = useState(false);
  return (
    <Page
      title={t.agent}
      badge={<Person id={agentId} />}
      {...(may("listAgentConfigurations") && { back: { to: "/agents", label: t.agents } })}
      actions={
        may("putAgentConfiguration") &&
        configuration.data !== undefined && (
          <Actions agentId={agentId} configuration={configuration.data ?? undefined} />
        )
      }
    >
      <Stack>
        <Section
          title={t.accounts}
          actions={
            may("moveAgentFloat") && (
              <Button icon={ArrowLeftRight} onClick={() => setFloat(true)}>
                {t.topUp}
              </Button>
            )
          }
        >
          <Accounts agentId={agentId} />
        </Section>
        <Section title={t.configuration} flush>
          <Loaded query={configuration}>
            {(found) =>
              found === null ? <p className="p-4 text-muted">{t.notSet}</p> : <ConfigurationFacts of={found} />
            }
          </Loaded>
        </Section>
      </Stack>
      {isFloat && <FloatDialog agentId={agentId} onClose={() => setFloat(false)} />}
    </Page>
  );
}

function Actions({ agentId, configuration }: { agentId: string; configuration: Configuration | undefined }) {
  const t = useTexts(texts);
  const [open, setOpen] = useState<"change" | "suspend" | "reactivate">();
  const close = () => setOpen(undefined);
  const suspend = useAction({
    operation: "suspendAgent",
    run: (reason: string, options) => api.agents.suspendAgent(agentId, { reason }, options),
    stales: agentStales,
    done: t.suspended,
  });
  const reactivate = useAction({
    operation: "reactivateAgent",
    run: (reason: string, options) => api.agents.reactivateAgent(agentId, { reason }, options),
    stales: agentStales,
    done: t.askedFor,
  });
  return (
    <>
      {configuration?.status !== "SUSPENDED" && (
        <Button icon={Ban} variant="danger" onClick={() => setOpen("suspend")}>
          {t.suspend}
        </Button>
      )}
      {configuration?.status === "SUSPENDED" && (
        <Button icon={RotateCcw} onClick={() => setOpen("reactivate")}>
          {t.reactivate}
        </Button>
      )}
      <Button icon={SquarePen} onClick={() => setOpen("change")}>
        {t.changeIt}
      </Button>
      {open === "change" && (
        <ConfigurationDialog agentId={agentId} {...(configuration && { before: configuration })} onClose={close} />
      )}
      {open === "suspend" && (
        <ConfirmDialog title={t.suspendTitle} confirm={t.suspend} danger action={suspend} onClose={close}>
          {t.suspendHint}
        </ConfirmDialog>
      )}
      {open === "reactivate" && (
        <ConfirmDialog title={t.reactivate} confirm={t.ask} action={reactivate} onClose={close}>
          {t.changeHint}
        </ConfirmDialog>
      )}
    </>
  );
}
