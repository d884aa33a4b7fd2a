import { Role, type IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { outgoing, type Client } from "../../kernel/grpc/client.js";
import { createPreferences } from "../../platform/preferences/preferences.js";
import type { OutboxRow, RowHandler } from "../../kernel/outbox/index.js";
import { isRefusedForGood, type Notifications } from "../../platform/messages/notifications.js";
import { rowKinds } from "../row-kinds.js";

export interface MessageDeps {
  identity: Pick<Client<IdentityServiceDefinition>, "listStaffUsers" | "getOrganisationPreference">;
  notifications: Notifications;
}

/** Managers who can log in. */
export async function managersOf(
  identity: Pick<MessageDeps["identity"], "listStaffUsers">,
  { tenantId, interactionId }: Pick<OutboxRow, "tenantId" | "interactionId">,
  signal: AbortSignal,
): Promise<{ userId: string; email: string }[]> {
  const managers: { userId: string; email: string }[] = [];
  for (let pageToken = ""; ;) {
    const page = await identity.listStaffUsers(
      { pageSize: 0, pageToken },
      outgoing({ tenantId, interactionId, signal }),
    );
    managers.push(...page.users.filter(({ role, disabled }) => role === Role.ROLE_MANAGER && !disabled));
    if (page.nextPageToken === "") return managers;
    pageToken = page.nextPageToken;
  }
}

/**
 * Tells every manager who can log in, each once: the reference is the row's and theirs. One whom
 * nobody reaches hides nothing from the others.
 */
export function managerMessages({ identity, notifications }: MessageDeps): Record<string, RowHandler> {
  const names = createPreferences({ identity, read: (tenant) => tenant?.name ?? "" });

  return {
    async [rowKinds.tellManagers](row, { signal }) {
      const { endpointId, url, why } = row.payload as { endpointId: string; url: string; why: string };
      const name = await names.of({ tenantId: row.tenantId, interactionId: row.interactionId, signal });
      const text = [
        `The webhook endpoint ${endpointId} gets no more events: ${why}.`,
        `It is at ${new URL(url).origin}.`,
        "When it works again, resume it and recover what it missed.",
      ].join("\n\n");
      const refusals: unknown[] = [];
      for (const { userId, email } of await managersOf(identity, row, signal)) {
        const message = {
          channel: "EMAIL",
          to: email,
          subject: `${name}: a webhook endpoint was disabled`,
          text,
        } as const;
        try {
          await notifications.send(row.tenantId, { ...message, reference: `${row.id}-${userId}` }, signal);
        } catch (error) {
          if (!isRefusedForGood(error)) throw error;
          refusals.push(error);
        }
      }
      // The others have been told: an operator looks after this one.
      if (refusals.length > 0) throw refusals[0];
    },
  };
}
