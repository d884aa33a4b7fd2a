import { decideAsShown } from "./asking-service.js";
import { randomUUID } from "node:crypto";
import { PluginServiceDefinition, type Plugin, type PluginRoute } from "../../proto/gen/identity/v1/plugins.js";
import { Role } from "../../proto/gen/identity/v1/identity.js";
import type { ServiceName } from "../../services/kernel/grpc/context.js";
import { sandboxIdOf } from "../../services/platform/sandbox/sandbox.js";
import { inTenant, newTenant, startTestIdentity } from "./identity.js";
import { password } from "./identity-drafts.js";
import { waitFor } from "./index.js";

export const apiKey = "the-key-that-they-gave-us";
export const callbackSecret = "whsec_bWFuaWxsYSBjYWxsYmFjayBzZWNyZXQ=";

/** Names that lead somewhere in these tests. */
const hosts: Record<string, string[]> = {
  "payouts.example": ["93.184.215.14"],
  "other.example": ["93.184.215.15"],
  "inside.example": ["10.0.0.7"],
  "mixed.example": ["93.184.215.14", "169.254.169.254"],
};

/** Identity with clients of its plugins, for whoever calls them. */
export async function startPluginIdentity() {
  const identity = await startTestIdentity({
    env: { PLUGIN_SANDBOX_ORIGINS: "http://127.0.0.1:*" },
    resolve: async (host) => {
      const found = hosts[host];
      if (found === undefined) throw new Error(`${host} has no address`);
      return found;
    },
  });
  const clientOf = (caller: ServiceName) => identity.operatorOf(PluginServiceDefinition, caller);
  const plugins = {
    gateway: clientOf("gateway"),
    remittance: clientOf("remittance"),
    events: clientOf("events"),
    compliance: clientOf("compliance"),
    wallet: clientOf("wallet"),
    lending: clientOf("lending"),
  };
  return {
    ...identity,
    plugins,
    async stop() {
      for (const client of Object.values(plugins)) client.close();
      await identity.stop();
    },
  };
}
export type PluginIdentity = Awaited<ReturnType<typeof startPluginIdentity>>;

export const payoutDraft = {
  type: "manilla-http",
  name: "Lagos payouts",
  configurationJson: '{"url":"https://payouts.example"}',
  secrets: { apiKey, callbackSecret },
};
export const bankDraft = {
  type: "bank-http",
  name: "Our bank",
  configurationJson: '{"url":"https://payouts.example","account":"acme"}',
  secrets: { apiKey },
};
export const cardDraft = {
  type: "card-http",
  name: "Our acquirer",
  configurationJson: '{"url":"https://other.example"}',
  secrets: { apiKey },
};
export const route = (change: Partial<PluginRoute> = {}): PluginRoute => ({
  originCountry: "",
  sendCurrency: "",
  receivingCountry: "NGA",
  receivingCurrency: "NGN",
  method: "",
  priority: 1,
  ...change,
});

/** Two managers of a new tenant, or of its sandbox. */
export async function pluginOffice(identity: PluginIdentity, { sandbox = false } = {}) {
  const { tenantId: live } = await newTenant(identity);
  const tenantId = sandbox ? sandboxIdOf(live) : live;
  const tokens: Record<string, string> = {};
  for (const name of ["manager", "second"]) {
    const draft = { idempotencyKey: randomUUID(), email: `${name}@x.example`, password, role: Role.ROLE_MANAGER, name };
    await identity.rpc.operator.createStaffUser(draft, inTenant(tenantId));
  }
  const signIn = async () => {
    for (const name of ["manager", "second"]) {
      const login = { email: `${name}@x.example`, currentPassword: password };
      tokens[name] = (await identity.rpc.gateway.login(login, inTenant(tenantId))).session!.accessToken;
    }
  };
  await signIn();
  const { gateway, remittance } = identity.plugins;
  const as = (name: "manager" | "second" = "manager") => inTenant(tenantId, tokens[name]!);
  const alone = () => inTenant(tenantId);
  const key = () => ({ idempotencyKey: randomUUID() });
  const requested = (installationId: string) => ({ installationId, ...key(), reason: "as agreed" });

  const create = async (change: Partial<Parameters<typeof gateway.createPlugin>[0]> = {}): Promise<Plugin> =>
    (await gateway.createPlugin({ ...key(), ...payoutDraft, ...change }, as())).plugin!;
  const read = async (installationId: string): Promise<Plugin> =>
    (await gateway.getPlugin({ installationId }, as())).plugin!;
  /** A report as the owner of PAYOUT makes it. */
  const noteTest = async (plugin: Plugin, hasPassed = true, owner = remittance): Promise<Plugin> => {
    const { installationId, revision } = plugin;
    const checks = [
      { name: "same reference twice", result: hasPassed ? "PASSED" : "FAILED", detail: "", durationMs: 3 },
    ];
    const test = { at: new Date(Date.now() + 365 * 86_400_000), hasPassed, revision, checks };
    return (await owner.notePluginTest({ installationId, test }, alone())).plugin!;
  };
  const decide = async (approvalId: string, approve: boolean) => {
    await decideAsShown(identity.rpc.gateway, { approvalId, approve, reason: "looked at it" }, as("second"));
  };
  /** What became of it once nothing waits any more. */
  const settled = async (installationId: string): Promise<Plugin> => {
    await waitFor(async () => (await read(installationId)).pendingApprovalId === "");
    return read(installationId);
  };
  const enable = async (plugin: Plugin): Promise<Plugin> => {
    const waiting = (await gateway.enablePlugin(requested(plugin.installationId), as())).plugin!;
    if (waiting.pendingApprovalId === "") return waiting;
    await decide(waiting.pendingApprovalId, true);
    return settled(plugin.installationId);
  };
  const changesOf = async (installationId: string) =>
    (await gateway.listPluginChanges({ installationId }, as())).changes;
  return {
    tenantId,
    as,
    /** Tokens do not live so long. */
    async passDays(days: number) {
      identity.passMs(days * 86_400_000);
      await signIn();
    },
    alone,
    asked: requested,
    create,
    read,
    noteTest,
    decide,
    settled,
    enable,
    changesOf,
    enabled: async () => enable(await noteTest(await create({ routes: [route()] }))),
  };
}
