import {
  bankDraft,
  cardDraft,
  pluginOffice,
  startPluginIdentity,
  type PluginIdentity,
} from "../../../test/support/plugin-office.js";

let identity: PluginIdentity;
beforeAll(async () => {
  identity = await startPluginIdentity();
});
afterAll(() => identity.stop());

const refused = (code: string) => expect.objectContaining({ code });

async function enabled(draft = bankDraft) {
  const t = await pluginOffice(identity);
  const { wallet } = identity.plugins;
  const { installationId } = await t.enable(await t.noteTest(await t.create(draft), true, wallet));
  const listed = async (client: typeof wallet, ...kinds: string[]) => {
    const { plugins } = await client.listRemovingPlugins({ kinds }, { ...t.alone(), tenantId: "" });
    return plugins.filter((one) => one.installationId === installationId);
  };
  return { ...t, installationId, listed };
}

describe.each([
  ["bank", bankDraft],
  ["card acquirer", cardDraft],
])("a %s", (_name, draft) => {
  test("is enabled by two managers, told to wallet and lending, and to nobody else", async () => {
    const t = await enabled(draft);
    expect(await t.read(t.installationId)).toMatchObject({ status: "ENABLED" });
    const { wallet, lending, remittance } = identity.plugins;
    for (const client of [wallet, lending]) {
      const { plugins } = await client.resolvePlugins({ kinds: [] }, t.alone());
      expect(plugins.map(({ installationId }) => installationId)).toEqual([t.installationId]);
    }
    const { plugins } = await remittance.resolvePlugins({ kinds: [] }, t.alone());
    expect(plugins).toEqual([]);
  });

  test("is removed when both of its callers have said that nothing is under way there, in any order, however often", async () => {
    const { gateway, wallet, lending, remittance } = identity.plugins;
    for (const order of [
      [wallet, lending],
      [lending, wallet],
    ]) {
      const t = await enabled(draft);
      const { installationId } = t;
      const release = (client: typeof wallet) => client.releasePlugin({ installationId }, t.alone());
      await expect(release(wallet)).rejects.toEqual(refused("STATE_CONFLICT"));
      expect(await t.listed(wallet)).toEqual([]);
      const { plugin } = await gateway.removePlugin(t.asked(installationId), t.as());
      expect(plugin?.status).toBe("REMOVING");
      await expect(release(remittance)).rejects.toEqual(refused("FORBIDDEN"));
      for (const client of [wallet, lending]) {
        expect(await t.listed(client)).toMatchObject([{ tenantId: t.tenantId, removingSince: expect.any(Date) }]);
      }
      const [first, second] = order as [typeof wallet, typeof wallet];
      await release(first);
      await release(first);
      expect([await t.listed(first), (await t.listed(second)).length]).toEqual([[], 1]);
      expect(await t.read(installationId)).toMatchObject({ status: "REMOVING" });
      const { plugins } = await first.resolvePlugins({ installationId }, t.alone());
      expect(plugins.map(({ secrets }) => Object.keys(secrets))).toEqual([["apiKey"]]);
      await release(second);
      await release(first);
      expect(await t.read(installationId)).toMatchObject({ status: "REMOVED", secrets: [] });
      expect(await t.listed(second)).toEqual([]);
    }
  });
});

test("a bank's books are read by one installation, also when that is gone; other books by another one", async () => {
  const { wallet, lending, gateway } = identity.plugins;
  const t = await enabled();
  const again = async (change: Partial<typeof bankDraft> = {}) =>
    t.noteTest(await t.create({ ...bankDraft, ...change }), true, wallet);
  const twin = await again();
  const booked = expect.objectContaining({ path: "configuration.account" });
  const notReady = { code: "PLUGIN_NOT_READY", details: { errors: [booked] } };
  await expect(t.enable(twin)).rejects.toMatchObject(notReady);
  await gateway.removePlugin(t.asked(t.installationId), t.as());
  for (const owner of [wallet, lending]) await owner.releasePlugin({ installationId: t.installationId }, t.alone());
  expect(await t.read(t.installationId)).toMatchObject({ status: "REMOVED" });
  await expect(t.enable(twin)).rejects.toMatchObject(notReady);
  const elsewhere = await again({ configurationJson: '{"url":"https://payouts.example","account":"other"}' });
  expect(await t.enable(elsewhere)).toMatchObject({ status: "ENABLED" });
});

test("of two with the same books one is enabled, whoever of the managers agrees first", async () => {
  const t = await pluginOffice(identity);
  const { wallet, gateway } = identity.plugins;
  const asks = [];
  for (let each = 0; each < 2; each++) {
    const plugin = await t.noteTest(await t.create(bankDraft), true, wallet);
    asks.push((await gateway.enablePlugin(t.asked(plugin.installationId), t.as())).plugin!);
  }
  // What was shown to the second manager may have changed meanwhile: she decides again.
  const agree = (approvalId: string) =>
    t.decide(approvalId, true).catch((error: unknown) => {
      expect(error).toMatchObject({ code: "APPROVAL_CHANGED" });
      return t.decide(approvalId, true);
    });
  await Promise.all(asks.map(({ pendingApprovalId }) => agree(pendingApprovalId)));
  const settled = await Promise.all(asks.map(({ installationId }) => t.settled(installationId)));
  expect(settled.map(({ status }) => status).toSorted()).toEqual(["ENABLED", "TESTED"]);
});

test("what is to be removed is listed to whoever calls partners of the kind", async () => {
  const { remittance, wallet, gateway } = identity.plugins;
  const t = await enabled();
  await gateway.removePlugin(t.asked(t.installationId), t.as());
  expect(await t.listed(remittance)).toEqual([]);
  expect(await t.listed(wallet, "CARD")).toEqual([]);
  expect(await t.listed(wallet, "BANK")).toHaveLength(1);
  await expect(t.listed(wallet, "PAYOUT")).rejects.toEqual(refused("FORBIDDEN"));
  await expect(t.listed(gateway)).rejects.toBeDefined();
});

test("a bank's address and our account there stay what they were once it was enabled; its test system may change", async () => {
  const { gateway } = identity.plugins;
  const draft = await pluginOffice(identity);
  const { installationId: young } = await draft.create(bankDraft);
  const to = (account: string) => `{"url":"https://payouts.example","account":"${account}"}`;
  const change = { ...draft.asked(young), configurationJson: to("other") };
  expect((await gateway.changePlugin(change, draft.as())).plugin?.configurationJson).toContain("other");

  const t = await enabled();
  const changed = (configurationJson: string) =>
    gateway.changePlugin({ ...t.asked(t.installationId), configurationJson }, t.as());
  const others = [
    [to("other"), "account"],
    ['{"url":"https://payouts.example"}', "account"],
    ['{"url":"https://other.example","account":"acme"}', "url"],
  ] as const;
  for (const [json, field] of others) {
    await expect(changed(json)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { errors: [{ path: `configuration.${field}` }] },
    });
  }
  const { plugin } = await changed(
    `{"url":"https://payouts.example","testUrl":"https://other.example","account":"acme"}`,
  );
  expect(plugin?.pendingApprovalId).not.toBe("");
  await t.decide(plugin!.pendingApprovalId, true);
  expect((await t.settled(t.installationId)).configurationJson).toContain("other.example");
});
