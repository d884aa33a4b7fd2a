import { FlaskConical, KeyRound, Pause, Pencil, Play, Route, Settings2, Trash2 } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { Menu } from "../../ui/menu";
import { ErrorPanel } from "../../ui/panels";
import { useAction } from "../../ui/use-action";
import { ChangeDialog, SecretsDialog } from "./plugin-dialog";
import { isGone, stales } from "./plugins";
import { RoutesDialog } from "./routes-dialog";
import { texts } from "./texts";
import type { Plugin, PluginType } from "./types";

type Open = "change" | "routes" | "rotate" | "enable" | "pause" | "remove";

/** All that can be done to a plugin. */
export function PluginActions({ plugin, type }: { plugin: Plugin; type: PluginType }) {
  const t = useTexts(texts);
  const { installationId, status } = plugin;
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const test = useAction({
    operation: "testPlugin",
    run: (_: void, options) => api.plugins.test(installationId, {}, options),
    stales,
    done: ({ lastTest }: Plugin) =>
      lastTest === undefined || lastTest.at === plugin.lastTest?.at
        ? t.testGoesOn
        : lastTest.hasPassed
          ? t.testPassed
          : t.testFailed,
  });
  const enable = useAction({
    operation: "enablePlugin",
    run: (reason: string, options) => api.plugins.enable(installationId, { reason }, options),
    stales,
    done: (enabled: Plugin) => (enabled.pendingApprovalId === undefined ? t.enabledDone : t.waits),
  });
  const pause = useAction({
    operation: "pausePlugin",
    run: (reason: string, options) => api.plugins.pause(installationId, { reason }, options),
    stales,
    done: t.pausedDone,
  });
  const remove = useAction({
    operation: "removePlugin",
    run: (reason: string, options) => api.plugins.remove(installationId, { reason }, options),
    stales,
    done: (removed: Plugin) => (removed.status === "REMOVING" ? t.removingDone : t.removedDone),
  });
  if (isGone(plugin)) return null;
  return (
    <>
      <ErrorPanel error={test.error} />
      <Button icon={FlaskConical} busy={test.isRunning} onClick={() => void test.run()}>
        {t.test}
      </Button>
      {status === "ENABLED" ? (
        <Button icon={Pause} onClick={() => setOpen("pause")}>
          {t.pause}
        </Button>
      ) : (
        <Button icon={Play} variant="primary" onClick={() => setOpen("enable")}>
          {t.enable}
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
          ...(plugin.kind === "PAYOUT"
            ? [{ key: "routes", label: t.changeRoutes, icon: Route, onSelect: () => setOpen("routes") }]
            : []),
          ...(type.secrets.length > 0
            ? [{ key: "rotate", label: t.rotate, icon: KeyRound, onSelect: () => setOpen("rotate") }]
            : []),
          "line",
          { key: "remove", label: t.remove, icon: Trash2, danger: true, onSelect: () => setOpen("remove") },
        ]}
      />
      {open === "change" && <ChangeDialog plugin={plugin} type={type} onClose={close} />}
      {open === "routes" && <RoutesDialog plugin={plugin} onClose={close} />}
      {open === "rotate" && <SecretsDialog plugin={plugin} type={type} onClose={close} />}
      {open === "enable" && (
        <ConfirmDialog title={t.enableTitle} confirm={t.enable} action={enable} onClose={close}>
          <p className="text-muted">{t.enableHint}</p>
        </ConfirmDialog>
      )}
      {open === "pause" && (
        <ConfirmDialog title={t.pauseTitle} confirm={t.pause} action={pause} onClose={close}>
          <p className="text-muted">{t.pauseHint}</p>
        </ConfirmDialog>
      )}
      {open === "remove" && (
        <ConfirmDialog title={t.removeTitle} confirm={t.remove} danger action={remove} onClose={close}>
          <p className="font-medium [overflow-wrap:anywhere]">{plugin.name}</p>
          <p className="text-muted">{t.removeHint}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
