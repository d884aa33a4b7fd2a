import type { Browser } from "playwright-core";
import {
  axeFaults,
  cashier,
  manager,
  openBrowser,
  openDesk,
  otherManager,
  signIn,
  sidewaysPixels,
  type Desk,
} from "./browser.js";

jest.setTimeout(120_000);

describe("signing in", () => {
  let browser: Browser;
  let desk: Desk;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  beforeEach(async () => {
    desk = await openDesk(browser);
  });
  afterEach(async () => {
    const { complaints, foreign } = desk;
    await desk.close();
    expect({ complaints, foreign: [...foreign] }).toEqual({ complaints: [], foreign: [] });
  });
  afterAll(() => browser?.close());

  test("keeps the refresh token from scripts, outlives a reload, and is gone after signing out", async () => {
    const { page, context, baseUrl } = desk;
    await signIn(desk, manager());
    const cookies = await context.cookies(`${baseUrl}/console/session`);
    expect(cookies).toMatchObject([{ httpOnly: true, secure: true, sameSite: "Strict", path: "/console/session" }]);
    const stored = (await page.evaluate(
      "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])",
    )) as string;
    expect(stored).not.toContain(cookies[0]!.value.slice(0, 24));
    expect(stored).not.toMatch(/eyJ/);

    await page.reload();
    await page.getByRole("navigation", { name: "Main navigation" }).waitFor();

    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to the desk" }).waitFor();
    expect(await context.cookies(`${baseUrl}/console/session`)).toEqual([]);
    await page.reload();
    await page.getByRole("heading", { name: "Sign in to the desk" }).waitFor();
    // Whose desk it is.
    await page.getByText("Manilla Demo").waitFor();
  });

  test("takes at most 250 kB, packed, of a first visitor, and nothing again of the next visit", async () => {
    const { page } = desk;
    let bytes = 0;
    page.on("response", (response) => {
      if (new URL(response.url()).pathname.startsWith("/console/"))
        bytes += Number(response.headers()["content-length"] ?? 0);
    });
    await signIn(desk, manager());
    await page.getByRole("heading", { name: "Manilla Demo" }).waitFor();
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(250_000);
    const unkept = new Set<string>();
    page.on("response", (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.startsWith("/console/assets/") && !response.headers()["cache-control"]?.includes("immutable"))
        unkept.add(pathname);
    });
    await page.reload();
    await page.getByRole("heading", { name: "Manilla Demo" }).waitFor();
    expect([...unkept]).toEqual([]);
  });

  test("leads to the page that was asked for", async () => {
    await signIn(desk, manager(), "/transactions?status=COMPLETED");
    await desk.page.getByRole("heading", { name: "Transactions", level: 1 }).waitFor();
    expect(await desk.page.getByLabel("Status").inputValue()).toBe("COMPLETED");
  });

  test("says that a password is wrong, and takes the right one", async () => {
    desk.expectRefusals(401);
    const { page, baseUrl } = desk;
    await page.goto(`${baseUrl}/console/`);
    await page.getByLabel("E-mail").fill(manager().email);
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("alert").getByText("do not match").waitFor();
    await page.getByLabel("Password").fill(manager().password);
    await page.keyboard.press("Enter");
    await page.getByRole("banner").waitFor();
  });

  test("sends whoever forgot their password a code, and takes no other", async () => {
    desk.expectRefusals(401);
    const { page, baseUrl } = desk;
    await page.goto(`${baseUrl}/console/`);
    await page.getByRole("button", { name: "Forgotten your password?" }).click();
    await page.getByLabel("E-mail").fill("nobody@demo.example");
    await page.getByRole("button", { name: "Send the code" }).click();
    await page.getByText("a code is on its way").waitFor();
    await page.getByLabel("Code of the message").fill("not the code");
    await page.getByLabel("New password", { exact: true }).fill("Another-Long-1");
    await page.getByLabel("New password again").fill("Another-Long-2");
    await page.getByRole("button", { name: "Set the password" }).click();
    await page.getByText("The two are not the same.").waitFor();
    await page.getByLabel("New password again").fill("Another-Long-1");
    await page.getByRole("button", { name: "Set the password" }).click();
    await page.getByRole("alert").waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Back to signing in" }).click();
    await page.getByLabel("Password").waitFor();
  });

  test("shows what the role may do and nothing else", async () => {
    await signIn(desk, cashier());
    const menu = desk.page.getByRole("navigation", { name: "Main navigation" });
    await menu.getByRole("link", { name: "Transactions" }).waitFor();
    expect(await menu.getByRole("link", { name: "Approvals" }).count()).toBe(0);
    await desk.page.goto(`${desk.baseUrl}/console/approvals`);
    await desk.page.getByRole("heading", { name: "Your role has no access to this page" }).waitFor();
  });

  test("is the sandbox's own below its switch, in a frame that cannot be missed", async () => {
    const { page } = desk;
    await signIn(desk, manager());
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Go to the sandbox" }).click();
    await page.getByText("Sandbox: nothing here moves real money").waitFor();
    await page.getByRole("heading", { name: "Sign in to the desk" }).waitFor();
    await page.getByLabel("E-mail").fill(manager().email);
    await page.getByLabel("Password").fill(manager().password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("banner").waitFor();
    const requested: string[] = [];
    page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    await page.getByRole("link", { name: "Transactions" }).first().click();
    await page.getByRole("heading", { name: "Transactions", level: 1 }).waitFor();
    expect(requested.filter((path) => path.startsWith("/api/"))).toEqual([]);
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Back to live" }).click();
    // The live session was there all the time.
    await page.getByRole("navigation", { name: "Main navigation" }).waitFor();
    expect(await page.getByText("nothing here moves real money").count()).toBe(0);
  });

  test("of another person in another tab takes over no form of this one", async () => {
    const { page, context, baseUrl } = desk;
    await signIn(desk, manager());
    const other = await context.newPage();
    await other.goto(`${baseUrl}/console/`);
    await other.getByRole("button", { name: "Account" }).click();
    await other.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to the desk" }).waitFor();
    await signIn({ ...desk, page: other }, otherManager());
    await page.reload();
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByText(otherManager().email).waitFor();
  });

  test("is in French where that is chosen, and stays so", async () => {
    const { page } = desk;
    await signIn(desk, manager());
    await page.getByRole("button", { name: "Language" }).click();
    await page.getByRole("menuitem", { name: "Français" }).click();
    await page.getByRole("link", { name: "Approbations" }).first().waitFor();
    await page.reload();
    await page.getByRole("link", { name: "Approbations" }).first().waitFor();
    expect(await page.evaluate("document.documentElement.lang")).toBe("fr");
  });

  test("an unknown address says so, and leads back", async () => {
    await signIn(desk, manager(), "/no/such/page");
    await desk.page.getByRole("heading", { name: "There is no such page" }).waitFor();
    await desk.page.getByRole("link", { name: "To the start" }).click();
    await desk.page.getByRole("heading", { name: "Manilla Demo" }).waitFor();
  });

  test.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 390],
  ] as const)("is clean to axe and fits, %s at %i pixels", async (colorScheme, width) => {
    await desk.close();
    desk = await openDesk(browser, { colorScheme, width });
    const { page, baseUrl } = desk;
    await page.goto(`${baseUrl}/console/`);
    await page.getByRole("heading", { name: "Sign in to the desk" }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expect(await sidewaysPixels(page)).toBe(0);
    await signIn(desk, manager());
    await page.getByRole("heading", { name: "Manilla Demo" }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expect(await sidewaysPixels(page)).toBe(0);
  });

  test("everything is reached by the keyboard: palette, menu, page", async () => {
    const { page } = desk;
    await signIn(desk, manager());
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type("appro");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Approvals", level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type("01a20c67-9003-770b-9d17-150645113cdb");
    await page.getByRole("option", { name: "Transaction with this id" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });
});
