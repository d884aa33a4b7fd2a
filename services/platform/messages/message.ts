import type { Channel } from "./kinds.js";

/** A message as it is handed to whoever delivers it. */
export interface Message {
  /** Ours, and the same for every try. */
  reference: string;
  channel: Channel;
  /** E-mail address or international phone number. */
  to: string;
  subject: string;
  text: string;
  /** Of an e-mail, beside the text. */
  html?: string;
}

/** What became of a try. */
export interface Sent {
  /** REFUSED for good: another try would be refused, too. UNKNOWN: it is tried again. */
  outcome: "OK" | "REFUSED" | "UNKNOWN";
  /** HTTP or SMTP status; 0 where there was no answer. */
  status: number;
  /** Never what the partner wrote: it may repeat what it was sent. */
  why: string;
}
