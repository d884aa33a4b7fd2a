import { ComplianceServiceDefinition } from "../../proto/gen/compliance/v1/compliance.js";
import { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import { InvestmentServiceDefinition } from "../../proto/gen/investment/v1/investment.js";
import { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import { LendingServiceDefinition } from "../../proto/gen/lending/v1/lending.js";
import { RemittanceServiceDefinition } from "../../proto/gen/remittance/v1/remittance.js";
import { RegisterServiceDefinition } from "../../proto/gen/sandbox/v1/sandbox.js";
import { WalletServiceDefinition } from "../../proto/gen/wallet/v1/wallet.js";
import { absentClient } from "../../services/kernel/grpc/absent-client.js";
import { createClient } from "../../services/kernel/grpc/client.js";
import { loadTls, type TlsOptions } from "../../services/kernel/tokens/tls.js";
import { readPrivateKey } from "../../services/kernel/tokens/key-files.js";
import { createServiceTokenSigner } from "../../services/kernel/tokens/service-tokens.js";

/** Where the services answer ("host:port") and the operator's private key (a JWK or PEM file). */
export interface OperatorAccess {
  identity: string;
  compliance: string;
  remittance: string;
  wallet: string;
  ledger: string;
  /** Absent where the system runs without it. */
  investment?: string | undefined;
  lending: string;
  operatorKeyFile: string;
  /** The operator's certificate, where services speak over mutual TLS. */
  tls?: TlsOptions | undefined;
}

export type OperatorClients = Awaited<ReturnType<typeof createOperatorClients>>;

/** Clients that act with the operator's credential, which only operators' own tools hold. */
export async function createOperatorClients(access: OperatorAccess) {
  const privateJwk = await readPrivateKey(access.operatorKeyFile);
  const tls = access.tls === undefined ? undefined : await loadTls(access.tls);
  const signer = createServiceTokenSigner({ service: "operator", privateJwk, tls });
  const clients = {
    identity: createClient(IdentityServiceDefinition, { address: access.identity, audience: "identity", signer }),
    compliance: createClient(ComplianceServiceDefinition, {
      address: access.compliance,
      audience: "compliance",
      signer,
    }),
    remittance: createClient(RemittanceServiceDefinition, {
      address: access.remittance,
      audience: "remittance",
      signer,
    }),
    wallet: createClient(WalletServiceDefinition, { address: access.wallet, audience: "wallet", signer }),
    register: createClient(RegisterServiceDefinition, { address: access.wallet, audience: "wallet", signer }),
    ledger: createClient(LedgerServiceDefinition, { address: access.ledger, audience: "ledger", signer }),
    lending: createClient(LendingServiceDefinition, { address: access.lending, audience: "lending", signer }),
    investment:
      access.investment === undefined
        ? absentClient(InvestmentServiceDefinition, "investment")
        : createClient(InvestmentServiceDefinition, { address: access.investment, audience: "investment", signer }),
  };
  return {
    ...clients,
    close: () => {
      for (const client of Object.values(clients)) client.close();
      tls?.close();
    },
  };
}
