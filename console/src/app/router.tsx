import { createRootRoute, createRoute, createRouter, type AnyRoute } from "@tanstack/react-router";
import { FileQuestion, Lock, ServerCrash } from "lucide-react";
import { useEffect, useState, type ComponentType, type ReactNode } from "react";
import type { AreaRoute } from "../lib/area";
import { useTexts } from "../lib/language";
import { parseSearch, printSearch } from "../lib/url-state";
import { useMay, useUser } from "../lib/use-session";
import { Button } from "../ui/button";
import { Link } from "../ui/link";
import { Page } from "../ui/page";
import { Empty, Skeleton } from "../ui/panels";
import { inWords } from "../ui/words";
import { areas } from "./areas";
import { Layout } from "./layout";
import { appTexts } from "./texts";

const rootRoute = createRootRoute({ component: Layout, notFoundComponent: NotFound });

function routeOf({ path, load, operation }: AreaRoute): AnyRoute {
  const Loaded = loadedPage(load);
  const component = () => (
    <ForWhoMay operation={operation}>
      <Loaded />
    </ForWhoMay>
  );
  return createRoute({ getParentRoute: () => rootRoute, path, component, errorComponent: Broken });
}

export const router = createRouter({
  routeTree: rootRoute.addChildren(areas.flatMap(({ routes }) => routes.map(routeOf))),
  basepath: "/console",
  parseSearch,
  stringifySearch: printSearch,
  defaultErrorComponent: Broken,
  defaultNotFoundComponent: NotFound,
});

/** A page once its code is there. React's Suspense would keep the skeleton for 300 ms more. */
function loadedPage(load: AreaRoute["load"]): ComponentType {
  let known: ComponentType | undefined;
  return function Loaded() {
    const [Shown, setShown] = useState(() => known);
    const [fault, setFault] = useState<{ error: unknown }>();
    useEffect(() => {
      if (known !== undefined) return;
      load().then(
        (page) => {
          known = page.default;
          setShown(() => page.default);
        },
        (error: unknown) => setFault({ error }),
      );
    }, []);
    if (fault) throw fault.error;
    return Shown ? <Shown /> : <Skeleton lines={8} />;
  };
}

function ForWhoMay({ operation, children }: { operation: AreaRoute["operation"]; children: ReactNode }) {
  const t = useTexts(appTexts);
  const user = useUser();
  if (useMay()(operation)) return children;
  return (
    <Page title={t.noAccess}>
      <div className="card">
        <Empty icon={Lock} title={t.noAccess}>
          {t.noAccessHint(inWords(user.role))}
        </Empty>
      </div>
    </Page>
  );
}

function NotFound() {
  const t = useTexts(appTexts);
  return (
    <Page title={t.notFound}>
      <div className="card">
        <Empty icon={FileQuestion} title={t.notFound}>
          <p>{t.notFoundHint}</p>
          <Link to="/" className="link">
            {t.home}
          </Link>
        </Empty>
      </div>
    </Page>
  );
}

function Broken({ error }: { error: unknown }) {
  const t = useTexts(appTexts);
  useEffect(() => {
    // oxlint-disable-next-line eslint/no-console -- a fault of the page is found in the browser's console.
    console.error(error);
  }, [error]);
  return (
    <Page title={t.broken}>
      <div className="card">
        <Empty icon={ServerCrash} title={t.broken}>
          <p className="mb-2">{t.brokenHint}</p>
          <Button onClick={() => location.reload()}>{t.reload}</Button>
        </Empty>
      </div>
    </Page>
  );
}
