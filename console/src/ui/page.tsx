import { ChevronLeft } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { Link } from "./link";

interface Props {
  title: string;
  /** Beside the title: a status. */
  badge?: ReactNode;
  /** Below the title: what this is, in a line. */
  about?: ReactNode;
  actions?: ReactNode;
  back?: { to: string; label: string };
  children: ReactNode;
}

/** A page: its title takes the focus where it was navigated to, and names the tab. */
export function Page({ title, badge, about, actions, back, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Manilla`;
  }, [title]);
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className="mx-auto flex w-full max-w-[1400px] flex-col gap-4 px-4 py-4 sm:px-6">
      <header className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          {back && (
            <Link to={back.to} className="link -ml-1 inline-flex items-center gap-0.5 text-sm">
              <ChevronLeft size={15} aria-hidden />
              {back.label}
            </Link>
          )}
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 ref={heading} tabIndex={-1} className="text-xl font-semibold [overflow-wrap:anywhere]">
              {title}
            </h1>
            {badge}
          </div>
          {about && <p className="text-muted">{about}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A wide part beside a narrow one; below each other where there is no room. */
export function Columns({ children }: { children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_380px] [&>*]:min-w-0">
      {children}
    </div>
  );
}

export function Stack({ children }: { children: ReactNode }) {
  return <div className="flex min-w-0 flex-col gap-4">{children}</div>;
}
