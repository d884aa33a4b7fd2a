import { v7 as uuidv7 } from "uuid";
import {
  CreateStaffUserRequest,
  CreateStaffUserResponse,
  type IdentityServiceDefinition,
} from "../../../proto/gen/identity/v1/identity.js";
import { actorOf, requireUser } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput } from "../../kernel/refusal.js";
import { createFaults } from "../../kernel/text/faults.js";
import { parsePersonsName } from "../../kernel/people/name-letters.js";
import { parseNewPassword } from "../domain/password-policy.js";
import { emailKey, parseEmail, type UserRecord } from "../domain/people.js";
import { checkKey, pageOf } from "../domain/requests.js";
import { assertMayCreate } from "../domain/roles.js";
import { addPersonChange } from "../jobs/person-changes.js";
import { staffRoleFromWire, userToWire } from "../wire/people.js";
import { creatorOf, oneSignInOnly } from "./new-accounts.js";
import { tenantOf } from "./tenant-of.js";
import type { HandlerDeps } from "./deps.js";

const maxNames = 100;

export function staffHandlers(deps: HandlerDeps) {
  const { store, runOnce, outbox, hasher, clock } = deps;

  return {
    async createStaffUser(request, call) {
      const creator = creatorOf(call);
      const role = staffRoleFromWire(request.role);
      assertMayCreate(creator, role);
      const person = parseStaff(request);
      await tenantOf(store, call.tenantId);
      const user = {
        ...person,
        userId: uuidv7(),
        role,
        passwordHash: await hasher.hash(request.password, call.signal),
        ...oneSignInOnly(creator, request, clock.now()),
        createdAt: clock.now(),
        createdBy: actorOf(call),
        staffRevision: 1,
      };
      const answer = await runOnce({
        call,
        operation: "createStaffUser",
        request,
        requestType: CreateStaffUserRequest,
        response: CreateStaffUserResponse,
        omit: ["password"],
        work: async (session) => {
          await store.forTenant(call.tenantId).insertUser(user, session);
          const { tenantId, interactionId } = call;
          const origin = { tenantId, interactionId, actor: actorOf(call) };
          await addPersonChange(outbox, origin, user, { changed: ["REGISTERED"] }, session);
          return { user: userToWire(user) };
        },
      });
      outbox.wake();
      return answer;
    },

    async listStaffUsers(request, call) {
      if (call.caller === "gateway") requireUser(call);
      const { after, limit } = pageOf(request);
      const found = await store.forTenant(call.tenantId).listStaff({ after, limit: limit + 1 });
      const page = found.slice(0, limit);
      return { users: page.map(userToWire), nextPageToken: found.length > limit ? page.at(-1)!.userId : "" };
    },

    async getStaffNames({ userIds }, { tenantId }) {
      if (userIds.length > maxNames) throw invalidInput("userIds", `must name at most ${maxNames}`);
      const found = await store.forTenant(tenantId).findUsers(userIds);
      const staff = found.filter(({ role, disabled }) => role !== "CUSTOMER" && disabled === undefined);
      const names = staff.map(userToWire).map(({ userId, name, role }) => ({ userId, name, role }));
      return { names };
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}

function parseStaff(request: CreateStaffUserRequest): Pick<UserRecord, "email" | "emailKey" | "name"> {
  const faults = createFaults();
  checkKey(request.idempotencyKey, faults);
  const email = faults.of(() => parseEmail(request.email));
  faults.of(() => parseNewPassword(request.password, request.email.trim()));
  const name = faults.of(() => parsePersonsName(request.name, "name"));
  faults.refuseIfAny();
  return { email: email!, emailKey: emailKey(email!), name: name! };
}
