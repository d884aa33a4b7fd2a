import { Outlet } from "@tanstack/react-router";
import { FlaskConical, LogOut, Menu as MenuIcon, Search, Undo2, User, WifiOff, X } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { isSandbox, switchEnvironment } from "../lib/environment";
import { useTexts } from "../lib/language";
import { useOrganisation } from "../lib/organisation";
import { session } from "../lib/session";
import { useUser } from "../lib/use-session";
import { IconButton } from "../ui/button";
import { Link } from "../ui/link";
import { Menu } from "../ui/menu";
import { useToast } from "../ui/toast";
import { inWords } from "../ui/words";
import { Choices } from "./choices";
import { useLive } from "./live";
import { Navigation } from "./navigation";
import { OwnPasswordFirst } from "./own-password";
import { SandboxFrame } from "./sandbox-frame";
import { Logo } from "./sign-in";
import { appTexts } from "./texts";

const loadPalette = () => import("./palette");
const Palette = lazy(loadPalette);
const restMs = 1_000;

export function Layout() {
  const t = useTexts(appTexts);
  const [isPaletteOpen, setPalette] = useState(false);
  const [isDrawerOpen, setDrawer] = useState(false);
  useShortcuts(() => setPalette(true));
  // Loaded once the page rests, so that nothing typed after Ctrl-K is
  // lost; without a network, then.
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette().catch(() => undefined), restMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <SandboxFrame>
      <a
        href="#page"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded focus:bg-raised focus:p-2"
        onClick={focusPage}
      >
        {t.skip}
      </a>
      <TopBar onMenu={() => setDrawer(true)} onSearch={() => setPalette(true)} />
      <Offline />
      <div className="flex min-h-0 flex-1">
        <div className="hidden w-56 shrink-0 overflow-y-auto border-r border-line bg-surface lg:block">
          <Navigation />
        </div>
        <main id="page" tabIndex={-1} className="min-w-0 flex-1 overflow-y-auto">
          <OwnPasswordFirst>
            <Outlet />
          </OwnPasswordFirst>
        </main>
      </div>
      {isDrawerOpen && <Drawer onClose={() => setDrawer(false)} />}
      {isPaletteOpen && (
        <Suspense>
          <Palette onClose={() => setPalette(false)} />
        </Suspense>
      )}
    </SandboxFrame>
  );
}

function focusPage(event: { preventDefault: () => void }): void {
  event.preventDefault();
  document.getElementById("page")?.focus();
}

/** Ctrl-K or Cmd-K opens the palette; "/" goes to the search of the page. */
function useShortcuts(openPalette: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        openPalette();
      }
      const isTyping =
        event.target instanceof Element && event.target.matches("input, textarea, select, [contenteditable]");
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      const search = document.querySelector<HTMLElement>("[data-search]");
      if (!search) return;
      event.preventDefault();
      search.focus();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [openPalette]);
}

function TopBar({ onMenu, onSearch }: { onMenu: () => void; onSearch: () => void }) {
  const t = useTexts(appTexts);
  const { name } = useOrganisation();
  return (
    <header className="flex h-12 shrink-0 items-center gap-2 border-b border-line bg-surface px-3 sm:gap-3">
      <IconButton icon={MenuIcon} label={t.menu} onClick={onMenu} className="lg:hidden" />
      <Link to="/" className="flex min-w-0 items-center gap-2.5" aria-label={name || "Manilla"}>
        <Logo />
        <span className="hidden truncate font-semibold sm:inline">{name}</span>
      </Link>
      <button
        type="button"
        onClick={onSearch}
        className="ml-auto flex h-8 items-center gap-2 rounded-md border border-line px-2 text-muted hover:border-line-strong sm:mr-auto sm:ml-4 sm:w-72"
      >
        <Search size={15} aria-hidden />
        <span className="flex-1 text-left max-sm:sr-only">{t.search}</span>
        <kbd className="hidden rounded border border-line px-1 font-mono text-xs sm:inline">Ctrl K</kbd>
      </button>
      <Live />
      <span className="flex shrink-0 items-center">
        <span className="hidden sm:contents">
          <Choices />
        </span>
        <UserMenu />
      </span>
    </header>
  );
}

function Live() {
  const t = useTexts(appTexts);
  const isLive = useLive() === "live";
  const { timeZone } = useOrganisation();
  return (
    <span className="flex items-center gap-3 text-xs text-muted">
      <span className="hidden whitespace-nowrap xl:inline" title={t.zone(timeZone)}>
        {timeZone}
      </span>
      <span
        role="status"
        className="flex items-center gap-1.5 whitespace-nowrap"
        title={isLive ? t.liveHint : t.pollingHint}
      >
        <span aria-hidden className={`size-2 rounded-full ${isLive ? "bg-good" : "bg-warn"}`} />
        <span className="max-sm:sr-only">{isLive ? t.live : t.polling}</span>
      </span>
    </span>
  );
}

function UserMenu() {
  const t = useTexts(appTexts);
  const user = useUser();
  const toast = useToast();
  const signOut = () => {
    session.signOut().catch((error: unknown) => toast(error instanceof Error ? error.message : String(error)));
  };
  return (
    <Menu
      label={t.account}
      button={<User size={17} aria-hidden />}
      heading={
        <>
          <p className="font-medium [overflow-wrap:anywhere]">{user.email}</p>
          <p className="text-xs text-muted">{inWords(user.role)}</p>
        </>
      }
      items={[
        {
          key: "environment",
          label: isSandbox ? t.toLive : t.toSandbox,
          icon: isSandbox ? Undo2 : FlaskConical,
          onSelect: switchEnvironment,
        },
        "line",
        { key: "out", label: t.signOut, icon: LogOut, onSelect: signOut },
      ]}
    />
  );
}

function Drawer({ onClose }: { onClose: () => void }) {
  const t = useTexts(appTexts);
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    ref.current?.showModal();
  }, []);
  return (
    <dialog
      ref={ref}
      aria-label={t.menu}
      className="drawer overflow-y-auto border-r border-line bg-surface p-0"
      onClose={onClose}
      onClick={(event) => event.target === ref.current && onClose()}
    >
      <div className="flex items-center justify-between border-b border-line px-3 py-2">
        <span className="flex items-center">
          <Choices />
        </span>
        <IconButton icon={X} label={t.closeMenu} onClick={onClose} />
      </div>
      <Navigation onNavigate={onClose} />
    </dialog>
  );
}

function Offline() {
  const t = useTexts(appTexts);
  const isOnline = useSyncExternalStore(followNetwork, () => navigator.onLine);
  if (isOnline) return null;
  return (
    <p role="alert" className="flex shrink-0 items-center justify-center gap-2 bg-warn-soft px-3 py-1 text-warn">
      <WifiOff size={15} aria-hidden />
      {t.offline}
    </p>
  );
}

function followNetwork(listener: () => void): () => void {
  addEventListener("online", listener);
  addEventListener("offline", listener);
  return () => {
    removeEventListener("online", listener);
    removeEventListener("offline", listener);
  };
}
