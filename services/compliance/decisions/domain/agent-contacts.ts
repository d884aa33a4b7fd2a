/** How contacts of the customers of one agent are verified, where the agent has said so. */
export interface AgentContacts {
  /** User id. */
  readonly agentId: string;
  /** Of the agent's configuration, which wallet keeps. */
  readonly version: number;
  /** The organisation's where absent. */
  readonly doNotForwardEmail?: boolean;
  readonly doNotForwardPhone?: boolean;
}

/** As the customer's agent has it, and as the organisation where they have not. */
export function asAgentHasIt<T extends { doNotForwardEmail: boolean; doNotForwardPhone: boolean }>(
  preference: T,
  agent: AgentContacts | undefined,
): T {
  return {
    ...preference,
    doNotForwardEmail: agent?.doNotForwardEmail ?? preference.doNotForwardEmail,
    doNotForwardPhone: agent?.doNotForwardPhone ?? preference.doNotForwardPhone,
  };
}
