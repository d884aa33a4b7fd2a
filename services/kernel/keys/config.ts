import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Logger } from "../process/log.js";
import { createAwsKeys } from "./aws-keys.js";
import { createFileKeys, createLocalKey, loadMasterKeys } from "./file-keys.js";
import type { KeyWrapper } from "./key-wrapper.js";
import { joinKeys } from "./joined-keys.js";
import { createVaultKeys, type VaultLogin } from "./vault-keys.js";

const arn = /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[A-Za-z0-9-]+$/;
const path = /^[A-Za-z0-9_.-]+(\/[A-Za-z0-9_.-]+)*$/;

/**
 * Where the master key is: `serviceEnv.extend({ ...masterKeyEnv }).superRefine(checkMasterKey)`.
 */
export const masterKeyEnv = {
  /**
   * What wraps keys from now on; `file` when absent. The others open what they wrapped, as far as
   * they are named too.
   */
  MASTER_KEY_SOURCE: z.enum(["file", "vault", "aws"]).optional(),
  /** A line for each version, 32 bytes as base64, the newest last. */
  MASTER_KEY_FILE: z.string().optional(),
  /** Base URL of Vault or OpenBao; https in production. */
  MASTER_KEY_VAULT_ADDRESS: z.url({ protocol: /^https?$/ }).optional(),
  /** Name of the derived key in the transit engine. */
  MASTER_KEY_VAULT_KEY: z.string().regex(path, "must be the name of a transit key").optional(),
  /** Where the transit engine is mounted; `transit` when absent. */
  MASTER_KEY_VAULT_MOUNT: z.string().regex(path, "must be a path without / at its ends").optional(),
  /** A token that somebody else keeps fresh there. Instead of the role. */
  MASTER_KEY_VAULT_TOKEN_FILE: z.string().optional(),
  /** Role of the login with the token of the service account, or another JSON Web Token. */
  MASTER_KEY_VAULT_ROLE: z.string().optional(),
  /** Where that login is mounted; `kubernetes` when absent. */
  MASTER_KEY_VAULT_AUTH_MOUNT: z.string().regex(path, "must be a path without / at its ends").optional(),
  MASTER_KEY_VAULT_JWT_FILE: z.string().optional(),
  /** ARNs of symmetric keys, separated by commas, the newest last. */
  MASTER_KEY_AWS_KEYS: z
    .string()
    .refine((text) => text.split(",").every((one) => arn.test(one)), "must be ARNs of keys, separated by commas")
    .optional(),
  /** Instead of the region's own. */
  MASTER_KEY_AWS_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
};

const shape = z.object(masterKeyEnv);
export type MasterKeyConfig = z.infer<typeof shape> & { NODE_ENV?: string | undefined };

/**
 * Names what is missing for the source, and plain http in production. A file is not needed where
 * the service may do with a key of its own.
 */
export function checkMasterKey(
  env: MasterKeyConfig,
  context: z.RefinementCtx,
  isNeeded = env.NODE_ENV === "production",
): void {
  const need = (name: keyof MasterKeyConfig): void => {
    if (env[name] === undefined) context.addIssue({ code: "custom", path: [name], message: "is required" });
  };
  const { MASTER_KEY_SOURCE: source = "file", NODE_ENV } = env;
  if (source === "vault" || env.MASTER_KEY_VAULT_ADDRESS !== undefined) {
    need("MASTER_KEY_VAULT_ADDRESS");
    need("MASTER_KEY_VAULT_KEY");
    if (env.MASTER_KEY_VAULT_TOKEN_FILE === undefined) {
      need("MASTER_KEY_VAULT_ROLE");
      need("MASTER_KEY_VAULT_JWT_FILE");
    }
  }
  if (source === "aws") need("MASTER_KEY_AWS_KEYS");
  if (source === "file" && isNeeded) need("MASTER_KEY_FILE");
  if (NODE_ENV !== "production") return;
  for (const name of ["MASTER_KEY_VAULT_ADDRESS", "MASTER_KEY_AWS_ENDPOINT"] as const) {
    if (env[name]?.startsWith("http:") !== true) continue;
    context.addIssue({ code: "custom", path: [name], message: "must be https in production" });
  }
}

/**
 * The master key that the environment names. Without any, outside production, one that ends with
 * the process. Throws where a key file cannot be read.
 */
export async function openMasterKey(config: MasterKeyConfig, log: Logger): Promise<KeyWrapper> {
  const { MASTER_KEY_SOURCE: source = "file", MASTER_KEY_FILE: file } = config;
  if (file !== undefined) await loadMasterKeys(file);
  const sources = {
    file: file === undefined ? undefined : createFileKeys(file),
    vault: vaultOf(config),
    aws: await awsOf(config),
  };
  const first = sources[source];
  if (first === undefined) {
    if (source !== "file" || config.NODE_ENV === "production")
      throw new Error(`the master key of ${source} is not named`);
    log.warn("without MASTER_KEY_FILE personal data is sealed with a key that ends with this process");
    return joinKeys(createLocalKey(randomBytes(32)), []);
  }
  const others = Object.values(sources).filter((other) => other !== undefined && other !== first);
  return joinKeys(first, others as KeyWrapper[]);
}

function vaultOf(config: MasterKeyConfig): KeyWrapper | undefined {
  const { MASTER_KEY_VAULT_ADDRESS: address, MASTER_KEY_VAULT_KEY: key } = config;
  if (address === undefined || key === undefined) return undefined;
  const { MASTER_KEY_VAULT_MOUNT: mount = "transit", MASTER_KEY_VAULT_AUTH_MOUNT: authMount = "kubernetes" } = config;
  const { MASTER_KEY_VAULT_TOKEN_FILE: tokenFile } = config;
  const { MASTER_KEY_VAULT_ROLE: role = "", MASTER_KEY_VAULT_JWT_FILE: jwtFile = "" } = config;
  const login: VaultLogin = tokenFile === undefined ? { authMount, role, jwtFile } : { tokenFile };
  return createVaultKeys({ address, mount, key, login });
}

async function awsOf(config: MasterKeyConfig): Promise<KeyWrapper | undefined> {
  const { MASTER_KEY_AWS_KEYS: keys, MASTER_KEY_AWS_ENDPOINT: endpoint } = config;
  if (keys === undefined) return undefined;
  return createAwsKeys({ keys: keys.split(","), ...(endpoint !== undefined && { endpoint }) });
}
