import { Ban, ChevronDown, Pencil, Send, ShieldQuestion, UserCheck, UserCog } from "lucide-react";
import { useState } from "react";
import { overrideStatuses } from "../../generated/enums";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useMay } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { Dialog, DialogActions } from "../../ui/dialog";
import { SelectField, TextArea, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { Menu, type MenuItem } from "../../ui/menu";
import { worded } from "../../ui/options";
import { useAction } from "../../ui/use-action";
import { inWords } from "../../ui/words";
import { ChangeDialog } from "./change-dialog";
import { useAgents } from "./list";
import { texts } from "./texts";
import type { Customer } from "./types";

type Open = "change" | "assign" | "override" | "start" | "disable" | "enable";

/** What this role may do with a customer. */
export function CustomerActions({ customer }: { customer: Customer }) {
  const t = useTexts(texts);
  const may = useMay();
  const [open, setOpen] = useState<Open>();
  const items: (MenuItem | "line" | false)[] = [
    may("initiateComplianceAction") && {
      key: "start",
      label: t.startRequirements,
      icon: Send,
      onSelect: () => setOpen("start"),
    },
    may("assignCustomer") && { key: "assign", label: t.assign, icon: UserCog, onSelect: () => setOpen("assign") },
    may("requestComplianceOverride") && {
      key: "override",
      label: t.override,
      icon: ShieldQuestion,
      onSelect: () => setOpen("override"),
    },
    "line",
    { key: "enable", label: t.enable, icon: UserCheck, onSelect: () => setOpen("enable") },
    { key: "disable", label: t.disable, icon: Ban, danger: true, onSelect: () => setOpen("disable") },
  ];
  const close = () => setOpen(undefined);
  return (
    <>
      {may("updateUser") && (
        <Button icon={Pencil} onClick={() => setOpen("change")}>
          {t.change}
        </Button>
      )}
      {may("disableUser") && (
        <span className="rounded-md border border-line-strong bg-surface">
          <Menu
            label={t.more}
            button={
              <>
                {t.more}
                <ChevronDown size={15} aria-hidden />
              </>
            }
            items={items.filter((item) => item !== false)}
          />
        </span>
      )}
      {open === "change" && <ChangeDialog customer={customer} onClose={close} />}
      {open === "assign" && <AssignDialog customer={customer} onClose={close} />}
      {open === "override" && <OverrideDialog customer={customer} onClose={close} />}
      {open === "start" && <StartDialog customer={customer} onClose={close} />}
      {(open === "disable" || open === "enable") && <AccessDialog customer={customer} how={open} onClose={close} />}
    </>
  );
}

interface Props {
  customer: Customer;
  onClose: () => void;
}

function AssignDialog({ customer, onClose }: Props) {
  const t = useTexts(texts);
  const agents = useAgents();
  const form = useActionForm({
    operation: "assignCustomer",
    run: (agentId: string, options) =>
      api.people.assignCustomer(customer.customerId, agentId ? { agentId } : {}, options),
    stales: ["customers"],
    done: t.isAssigned,
    onDone: onClose,
    defaults: { agentId: customer.agentId ?? "" },
    toInput: ({ agentId }) => agentId,
    keep: true,
  });
  return (
    <FormDialog title={t.assignTitle} of={form} submit={t.assign} onClose={onClose}>
      <SelectField
        // Its choice is there once the agents are.
        key={agents.length}
        form={form.form}
        name="agentId"
        label={t.agent}
        hint={t.assignHint}
        nothing={t.noAgent}
        options={agents.map(({ userId, name, email }) => ({ value: userId, label: `${name} · ${email}` }))}
      />
    </FormDialog>
  );
}

function OverrideDialog({ customer: { customerId }, onClose }: Props) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "requestComplianceOverride",
    run: (body: { customerStatus: "CONFIRMED" | "BLOCKED"; reason: string }, options) =>
      api.compliance.requestOverride({ customerId, ...body }, options),
    stales: ["approvals", "customers", "home"],
    done: t.isOverrideAsked,
    onDone: onClose,
    defaults: { customerStatus: "", reason: "" },
    toInput: ({ customerStatus, reason }) => ({
      customerStatus: customerStatus as "CONFIRMED" | "BLOCKED",
      reason: reason.trim(),
    }),
  });
  return (
    <FormDialog
      title={t.overrideTitle}
      of={form}
      submit={t.ask}
      intro={<p className="mb-4 text-muted">{t.overrideHint}</p>}
      onClose={onClose}
    >
      <SelectField
        form={form.form}
        name="customerStatus"
        label={t.shallBe}
        nothing={t.choose}
        options={worded(overrideStatuses)}
        isRequired
      />
      <TextArea form={form.form} name="reason" label={t.because} isRequired />
    </FormDialog>
  );
}

/** Sends the link and the code that are outstanding, and says what else is to be done. */
function StartDialog({ customer: { customerId }, onClose }: Props) {
  const t = useTexts(texts);
  const [started, setStarted] = useState<readonly { requirement: string; action: string }[]>();
  const form = useActionForm({
    operation: "initiateComplianceAction",
    run: () => api.compliance.initiateAction({ customerId }),
    stales: ["customers"],
    onDone: ({ actions }) => setStarted(actions),
    defaults: {},
    toInput: () => undefined,
  });
  if (started) {
    return (
      <Dialog title={t.startTitle} onClose={onClose}>
        {started.length === 0 ? (
          <p>{t.nothingToStart}</p>
        ) : (
          <ul className="flex flex-col gap-1.5">
            {started.map(({ requirement, action }) => (
              <li key={requirement} className="flex justify-between gap-4">
                <span>{inWords(requirement)}</span>
                <span className="text-muted">{inWords(action)}</span>
              </li>
            ))}
          </ul>
        )}
        <DialogActions>
          <Button onClick={onClose}>{t.close}</Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <FormDialog title={t.startTitle} of={form} submit={t.start} onClose={onClose}>
      <p className="text-muted">{t.startHint}</p>
    </FormDialog>
  );
}

function AccessDialog({ customer: { userId, email }, how, onClose }: Props & { how: "disable" | "enable" }) {
  const t = useTexts(texts);
  const disables = how === "disable";
  const change = useAction({
    operation: disables ? "disableUser" : "enableUser",
    run: (reason: string, options) =>
      disables
        ? api.people.disableUser(userId, { reason }, options)
        : api.people.enableUser(userId, { reason }, options),
    stales: ["customers"],
    done: disables ? t.isDisabled : t.isEnabled,
  });
  return (
    <ConfirmDialog
      title={disables ? t.disable : t.enable}
      confirm={disables ? t.disable : t.enable}
      danger={disables}
      action={change}
      onClose={onClose}
    >
      <p className="font-medium">{email}</p>
      <p className="text-muted">{disables ? t.disableHint : t.enableHint}</p>
    </ConfirmDialog>
  );
}
