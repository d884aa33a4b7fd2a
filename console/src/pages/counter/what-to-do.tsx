import { ApiError } from "@manilla/client";
import { useTexts } from "../../lib/language";
import { texts } from "./texts";

/** What somebody at the counter does about a refusal; nothing where the refusal says it all. */
export function WhatToDo({ error }: { error: unknown }) {
  const t: Readonly<Record<string, unknown>> = useTexts(texts);
  const said = error instanceof ApiError ? t[error.code] : undefined;
  return typeof said === "string" ? <p className="font-medium">{said}</p> : null;
}
