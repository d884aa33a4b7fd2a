import { useNavigate } from "@tanstack/react-router";
import { KeyRound, Pause, Pencil, Play, RotateCcw, Send, Settings2, Trash2 } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { invalidate } from "../../lib/queries";
import { Button } from "../../ui/button";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { Menu } from "../../ui/menu";
import { ErrorPanel } from "../../ui/panels";
import { ShownOnce } from "../../ui/shown-once";
import { useAction } from "../../ui/use-action";
import { EndpointDialog } from "./endpoint-dialog";
import { RecoverDialog } from "./recover-dialog";
import { RotateDialog } from "./rotate-dialog";
import { texts } from "./texts";
import type { Endpoint } from "./types";

type Open = "change" | "rotate" | "recover" | "pause" | "remove";

/** All that can be done to an endpoint. */
export function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const { endpointId, status } = endpoint;
  const [open, setOpen] = useState<Open>();
  const [secret, setSecret] = useState<string>();
  const close = () => setOpen(undefined);
  const stales = ["webhooks", "home"] as const;
  const test = useAction({
    operation: "sendWebhookTest",
    run: (_: void, options) => api.webhooks.sendTest(endpointId, options),
    stales,
    done: t.testSent,
  });
  const resume = useAction({
    operation: "resumeWebhookEndpoint",
    run: (_: void, options) => api.webhooks.resumeEndpoint(endpointId, options),
    stales,
    done: t.resumed,
  });
  const pause = useAction({
    operation: "pauseWebhookEndpoint",
    run: (_reason: string, options) => api.webhooks.pauseEndpoint(endpointId, options),
    stales,
    done: t.paused,
  });
  const remove = useAction({
    operation: "removeWebhookEndpoint",
    run: (_reason: string, options) => api.webhooks.removeEndpoint(endpointId, options),
    done: t.removed,
    onDone: () => void navigate({ to: "/webhooks" }).then(() => invalidate(stales)),
  });
  return (
    <>
      <ErrorPanel error={test.error ?? resume.error} />
      <Button icon={Send} busy={test.isRunning} disabled={status === "DISABLED"} onClick={() => void test.run()}>
        {t.sendTest}
      </Button>
      {status === "ACTIVE" ? (
        <Button icon={Pause} onClick={() => setOpen("pause")}>
          {t.pause}
        </Button>
      ) : (
        <Button icon={Play} variant="primary" busy={resume.isRunning} onClick={() => void resume.run()}>
          {t.resume}
        </Button>
      )}
      <Menu
        label={t.more}
        button={
          <>
            <Settings2 size={16} aria-hidden />
            {t.more}
          </>
        }
        items={[
          { key: "change", label: t.change, icon: Pencil, onSelect: () => setOpen("change") },
          { key: "rotate", label: t.rotate, icon: KeyRound, onSelect: () => setOpen("rotate") },
          { key: "recover", label: t.recover, icon: RotateCcw, onSelect: () => setOpen("recover") },
          "line",
          { key: "remove", label: t.remove, icon: Trash2, danger: true, onSelect: () => setOpen("remove") },
        ]}
      />
      {open === "change" && <EndpointDialog endpoint={endpoint} onClose={close} />}
      {open === "recover" && <RecoverDialog endpointId={endpointId} onClose={close} />}
      {open === "rotate" && (
        <RotateDialog
          endpointId={endpointId}
          onMade={(made) => {
            close();
            setSecret(made);
          }}
          onClose={close}
        />
      )}
      {open === "pause" && (
        <ConfirmDialog title={t.pauseTitle} confirm={t.pause} reason="none" action={pause} onClose={close}>
          {t.pauseHint}
        </ConfirmDialog>
      )}
      {open === "remove" && (
        <ConfirmDialog title={t.removeTitle} confirm={t.remove} danger reason="none" action={remove} onClose={close}>
          <p className="font-medium [overflow-wrap:anywhere]">{endpoint.url}</p>
          <p className="text-muted">{t.removeHint}</p>
        </ConfirmDialog>
      )}
      {secret !== undefined && (
        <ShownOnce title={t.secret} secret={secret} words={t} onClose={() => setSecret(undefined)} />
      )}
    </>
  );
}
