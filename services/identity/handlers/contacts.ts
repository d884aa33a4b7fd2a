import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { requireUser } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput } from "../../kernel/refusal.js";
import type { ContactType } from "../domain/contacts.js";
import { codeFailed } from "../factors/contact-changes.js";
import { createConfirmContact } from "./contact-confirmation.js";
import { createAssertContactOwner } from "./contact-owner.js";
import { userOf } from "./managed-users.js";
import { profileOf } from "./profile-of.js";
import type { HandlerDeps } from "./deps.js";

const contactTypes: readonly ContactType[] = ["EMAIL", "PHONE_NUMBER"];

/** A new contact counts once its code was entered. */
export function contactHandlers(deps: HandlerDeps) {
  const { store, contactChanges, clock } = deps;
  const assertContactOwner = createAssertContactOwner(deps);
  const confirm = createConfirmContact(deps);

  return {
    async confirmContactChange({ type: given, code, password, proof }, call) {
      const type = contactTypes.find((one) => one === given);
      if (type === undefined) throw invalidInput("type", `must be ${contactTypes.join(" or ")}`);
      const { tenantId } = call;
      const user = await userOf(store, tenantId, requireUser(call).userId);
      const ofTenant = store.forTenant(tenantId);
      const change = await ofTenant.findNewestContact(user.userId, type, clock.now());
      if (change === undefined) throw codeFailed();
      // The owner who asked for the change themself has shown already who they are.
      if (!change.byOwner && change.state === "PENDING")
        await assertContactOwner(user, { password, proof }, call, true);
      await contactChanges.assertCode(tenantId, change, code);
      if (change.state === "CONFIRMED") return { profile: await profileOf(store, user, call, clock.now()) };
      const after = await confirm(user, change, call);
      return { profile: await profileOf(store, after, call, clock.now()) };
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}
