import type { LucideIcon } from "lucide-react";
import type { ButtonHTMLAttributes } from "react";

type Variant = "primary" | "plain" | "quiet" | "danger";

const variants: Record<Variant, string> = {
  primary: "bg-accent text-accent-ink border-accent hover:brightness-110",
  plain: "bg-surface text-ink border-line-strong hover:bg-canvas",
  quiet: "bg-transparent text-ink border-transparent hover:bg-accent-soft",
  danger: "bg-bad-soft text-bad border-bad hover:brightness-95 dark:hover:brightness-125",
};

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: Variant;
  icon?: LucideIcon;
  /** Under way: it takes no click, and says so. */
  busy?: boolean;
}

export function Button({
  variant = "plain",
  icon: Icon,
  busy = false,
  className = "",
  children,
  disabled,
  ...rest
}: Props) {
  return (
    <button
      type="button"
      className={`inline-flex min-h-8 items-center justify-center gap-1.5 rounded-md border px-3 py-1 font-medium whitespace-nowrap disabled:opacity-55 ${variants[variant]} ${className}`}
      disabled={disabled || busy}
      aria-busy={busy}
      {...rest}
    >
      {Icon && <Icon size={15} aria-hidden className="-ml-0.5 shrink-0" />}
      {children}
    </button>
  );
}

interface IconProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "aria-label"> {
  icon: LucideIcon;
  /** Read aloud, and shown where the pointer rests. */
  label: string;
}

export function IconButton({ icon: Icon, label, className = "", ...rest }: IconProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`inline-flex size-8 shrink-0 items-center justify-center rounded-md hover:bg-accent-soft disabled:opacity-55 ${className}`}
      {...rest}
    >
      <Icon size={17} aria-hidden />
    </button>
  );
}
