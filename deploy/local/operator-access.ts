import { defaultTrustDomain } from "../../services/kernel/process/config.js";
import type { ServiceName } from "../../services/kernel/grpc/context.js";
import { loadTls } from "../../services/kernel/tokens/tls.js";
import { readPrivateKey } from "../../services/kernel/tokens/key-files.js";
import { createServiceTokenSigner, type ServiceTokenSigner } from "../../services/kernel/tokens/service-tokens.js";
import { dataDirOf, readClusterFile } from "./cluster-file.js";

/** How an operator's tool reaches services and proves itself. */
export interface OperatorReach {
  /** "host:port". Throws naming a service that is not known. */
  addressOf(service: string): string;
  /** Whether the system runs with a service that it may run without. */
  has(service: "investment"): boolean;
  signer: ServiceTokenSigner;
  close(): void;
}

/**
 * As the environment says where it names the operator's key (on Kubernetes: OPERATOR_KEY_FILE, the
 * *_ADDRESS variables, TLS_DIR and TLS_TRUST_DOMAIN), else the cluster that runs on DATA_DIR.
 */
export async function openOperatorReach(env: NodeJS.ProcessEnv = process.env): Promise<OperatorReach> {
  const { keyFile, addressOf, has, tls: files } = env["OPERATOR_KEY_FILE"] ? placesOfEnv(env) : placesOfDataDir(env);
  const privateJwk = await readPrivateKey(keyFile);
  const tls = files === undefined ? undefined : await loadTls(files);
  return {
    addressOf,
    has,
    signer: createServiceTokenSigner({ service: "operator" satisfies ServiceName, privateJwk, tls }),
    close: () => tls?.close(),
  };
}

interface Places extends Pick<OperatorReach, "addressOf" | "has"> {
  keyFile: string;
  tls?: { dir: string; trustDomain: string };
}

function placesOfEnv(env: NodeJS.ProcessEnv): Places {
  const { OPERATOR_KEY_FILE: keyFile = "", TLS_DIR: dir, TLS_TRUST_DOMAIN: trustDomain } = env;
  return {
    keyFile,
    has: (service) => Boolean(env[variableOf(service)]),
    addressOf: (service) => {
      const variable = variableOf(service);
      const address = env[variable];
      if (!address) throw new Error(`${variable} says where ${service} is, and is not set`);
      return address;
    },
    ...(dir ? { tls: { dir, trustDomain: trustDomain || defaultTrustDomain } } : {}),
  };
}

const variableOf = (service: string) => `${service.toUpperCase().replaceAll("-", "_")}_ADDRESS`;

function placesOfDataDir(env: NodeJS.ProcessEnv): Places {
  const dataDir = dataDirOf(env);
  const { addresses, keys } = readClusterFile(dataDir);
  return {
    keyFile: keys.operatorKeyFile,
    has: (service) => addresses[service] !== undefined,
    addressOf: (service) => {
      const address = addresses[service];
      if (address === undefined) throw new Error(`The cluster on ${dataDir} has no ${service} service.`);
      return address;
    },
  };
}
