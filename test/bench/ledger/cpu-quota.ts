import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const periodUs = 100_000;

/** Holds processes to a part of a processor each. */
export interface CpuQuota {
  hold(pid: number): void;
  /** Once the processes have ended. */
  remove(): void;
}

/**
 * What a CPU limit of Kubernetes is: a control group of the kernel for each process (version 1 or
 * 2; Linux, as root). So a machine with few processors shows what more replicas bring, as long as
 * all of them together need less than it has.
 */
export function createCpuQuota(cpus: number): CpuQuota {
  const quotaUs = Math.round(cpus * periodUs);
  const isSecond = existsSync("/sys/fs/cgroup/cgroup.controllers");
  const parent = isSecond ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu";
  if (isSecond) writeFileSync(join(parent, "cgroup.subtree_control"), "+cpu");
  const folders: string[] = [];
  return {
    hold(pid) {
      const folder = join(parent, `manilla-bench-${pid}`);
      mkdirSync(folder);
      folders.push(folder);
      if (isSecond) writeFileSync(join(folder, "cpu.max"), `${quotaUs} ${periodUs}`);
      else {
        writeFileSync(join(folder, "cpu.cfs_period_us"), String(periodUs));
        writeFileSync(join(folder, "cpu.cfs_quota_us"), String(quotaUs));
      }
      writeFileSync(join(folder, "cgroup.procs"), String(pid));
    },
    remove() {
      for (const folder of folders) {
        const left = readFileSync(join(folder, "cgroup.procs"), "utf8").trim();
        if (left === "") rmdirSync(folder);
      }
    },
  };
}
