import { ApiError, ConnectionError, InputError } from "@manilla/client";
import { defineTexts, useTexts } from "./language";
import { refusalTexts } from "./refusal-texts";
import { SessionError } from "./session";

const texts = defineTexts({
  en: {
    offline: "There is no connection to the server.",
    offlineSent: "No answer came. It may have been done, or not: send the same again, and nothing is done twice.",
    forbidden: "Your role may not see or do this.",
    missing: "This does not exist, or not any more.",
    conflict: "Somebody was faster, or it has changed since. You see the state as it is now.",
    tooMany: "Too many requests.",
    away: "A part of the system is away at the moment. Nothing is lost: try again shortly.",
    fault: "Something went wrong on the server.",
    bug: "This page has a fault.",
    reference: (id: string) => `Reference ${id}`,
  },
  fr: {
    offline: "Il n’y a pas de connexion au serveur.",
    offlineSent:
      "Aucune réponse. C’est peut-être fait, peut-être pas : renvoyez la même chose, et rien n’est fait deux fois.",
    forbidden: "Votre rôle ne permet pas de voir ou de faire cela.",
    missing: "Cela n’existe pas, ou plus.",
    conflict: "Quelqu’un a été plus rapide, ou cela a changé depuis. Vous voyez l’état actuel.",
    tooMany: "Trop de requêtes.",
    away: "Une partie du système est indisponible. Rien n’est perdu : réessayez sous peu.",
    fault: "Une erreur s’est produite sur le serveur.",
    bug: "Cette page a un défaut.",
    reference: (id: string) => `Référence ${id}`,
  },
});

export interface Explained {
  /** In the language of the page, by the code of the refusal, else by its status. */
  title: string;
  /** As the server says it, in English; absent where it says no more to a person than the title. */
  detail?: string;
  /** Finds it in the logs. */
  reference?: string;
  code?: string;
  retryAfterS?: number;
  mayPass: boolean;
}

/** What a person is told of a failure. */
export function useExplained(): (error: unknown) => Explained {
  const t = useTexts(texts);
  const byCode: Readonly<Record<string, string>> = useTexts(refusalTexts);
  return (error) => {
    if (error instanceof ApiError || error instanceof SessionError) {
      const title = byCode[error.code] ?? titles(t, error.status);
      const message = error instanceof ApiError ? messageOf(error) : error.message;
      return {
        ...(title === undefined
          ? { title: message }
          : { title, ...(saysMore(error, title, message) && { detail: message }) }),
        ...(error instanceof ApiError && { reference: t.reference(error.sent.interactionId) }),
        code: error.code,
        ...(error.retryAfterS !== undefined && { retryAfterS: error.retryAfterS }),
        mayPass: error.status === 429 || error.status >= 500,
      };
    }
    if (error instanceof ConnectionError) {
      return { title: error.sent.idempotencyKey === undefined ? t.offline : t.offlineSent, mayPass: true };
    }
    if (error instanceof InputError) return { title: error.message, mayPass: false };
    const isNetwork = error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError");
    return isNetwork ? { title: t.offline, mayPass: true } : { title: t.bug, detail: String(error), mayPass: false };
  };
}

// What the server says beside them is for programs: how the request is sent again.
const saidWhole = new Set(["PAYEE_CHECK_EXPIRED", "PAYEE_CHECK_MISMATCH", "PAYEE_NAME_DIFFERS", "PAYEE_NOT_MATCHED"]);

function saysMore({ code, status }: ApiError | SessionError, title: string, message: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/\.$/, "");
  return status < 500 && !saidWhole.has(code) && plain(title) !== plain(message);
}

type Titles = Record<"forbidden" | "missing" | "conflict" | "tooMany" | "away" | "fault", string>;

function titles(t: Titles, status: number) {
  const known: Record<number, string> = { 404: t.missing, 409: t.conflict, 429: t.tooMany, 503: t.away, 504: t.away };
  return known[status] ?? (status >= 500 ? t.fault : status === 403 ? t.forbidden : undefined);
}

/** The client's message has the operation before it, and status, code and id after it. */
function messageOf(error: ApiError): string {
  return error.message.slice(`${error.sent.operation}: `.length).replace(/ \(\d{3} \w+, interaction [^)]*\)$/, "");
}
