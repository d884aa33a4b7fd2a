import type { PayoutConnector } from "../../../services/remittance/clients/payout-connector.js";
import type { Partner } from "./partner.js";

const standsForMs = 60_000;
// As domain/hold.ts has it.
const clearForMs = 5_000;

/**
 * What compliance holds back for a while: for hits of whoever is paid, or sends, and
 * for the status of who receives.
 */
export function createHits(now: () => number) {
  let hit = { since: 0, until: 0 };
  let receivedHeldUntil = 0;
  /**
   * What was handed to the partner although a hit has stood for longer than
   * an answer of compliance counts.
   */
  const handedOver: string[] = [];
  const isOpen = () => now() < hit.until;

  function watch(what: string): void {
    if (isOpen() && now() - hit.since > clearForMs) handedOver.push(`${what} at ${now()}, a hit since ${hit.since}`);
  }

  return {
    handedOver,
    isOpen,
    isReceivedHeld: () => now() < receivedHeldUntil,
    /** Says so. */
    holdReceived(): string {
      receivedHeldUntil = now() + standsForMs;
      return "what the recipient receives is held for a while";
    },
    /** One comes up, or stands for longer. Says so. */
    open(): string {
      hit = { since: isOpen() ? hit.since : now(), until: now() + standsForMs };
      return "a hit stands for a while";
    },
    /** The partner, with an eye on what it is handed. */
    watching: (partner: Partner): Partner => ({
      ...partner,
      connectorOf(process): PayoutConnector {
        const connector = partner.connectorOf(process);
        return {
          ...connector,
          submit: (...requested) => (watch("one"), connector.submit(...requested)),
          submitBatch: (...requested) => (watch("a batch"), connector.submitBatch(...requested)),
        };
      },
    }),
  };
}
