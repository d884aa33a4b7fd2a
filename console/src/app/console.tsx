import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { Users } from "lucide-react";
import { useEffect } from "react";
import { AreasContext } from "../lib/area";
import { LanguageContext, languageStore, useTexts } from "../lib/language";
import { queryClient } from "../lib/queries";
import { session } from "../lib/session";
import { useStored } from "../lib/stored";
import { useSession } from "../lib/use-session";
import { Button } from "../ui/button";
import { Empty } from "../ui/panels";
import { ToastProvider } from "../ui/toast";
import { areas } from "./areas";
import { router } from "./router";
import { SignInAgain, SignInPage } from "./sign-in";
import { appTexts } from "./texts";

/** The whole page: who is signed in decides what is shown; the address stays over a sign-in. */
export function Console() {
  const language = useStored(languageStore);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return (
    <LanguageContext value={language}>
      <QueryClientProvider client={queryClient}>
        <ToastProvider>
          <Shown />
        </ToastProvider>
      </QueryClientProvider>
    </LanguageContext>
  );
}

function Shown() {
  const state = useSession();
  const t = useTexts(appTexts);
  useEffect(() => {
    // Whoever signs in next sees nothing of who was here before.
    if (state.status === "out") queryClient.clear();
  }, [state.status]);
  switch (state.status) {
    case "starting":
      return null;
    case "out":
      return <SignInPage />;
    case "unreachable":
      return (
        <main>
          <Empty title={t.unreachable}>
            <Button onClick={() => void session.start()}>{t.retry}</Button>
          </Empty>
        </main>
      );
    default:
      return state.user.role === "CUSTOMER" ? (
        <NoDesk />
      ) : (
        <>
          <AreasContext value={areas}>
            <RouterProvider router={router} />
          </AreasContext>
          <SignInAgain />
        </>
      );
  }
}

function NoDesk() {
  const t = useTexts(appTexts);
  return (
    <main>
      <Empty icon={Users} title={t.noDesk}>
        <p className="mb-2">{t.noDeskHint}</p>
        <Button onClick={() => void session.signOut()}>{t.signOut}</Button>
      </Empty>
    </main>
  );
}
