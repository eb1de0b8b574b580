import { readFileSync } from 'node:fs'

/** The CPU time and memory of a process so far. */
export interface ProcessUsage {
  cpuSeconds: number
  /** CPU time of its terminated child processes. */
  endedCpuSeconds: number
  /** Resident memory now. */
  residentBytes: number
  /**
   * Bytes written so far to files and sockets (`wchar` of proc_pid_io(5)). Not `write_bytes`: if the page
   * cache has large folios, it counts a whole folio, up to 1 MB, for each page that is written and synced in
   * it.
   */
  writtenBytes: number
}

/** The unit of CPU time of Linux, not the kernel's clock (proc_pid_stat(5), sysconf(_SC_CLK_TCK)). */
const ticksPerSecond = 100

/** Reads CPU time and memory of another process from /proc; Linux only. */
export function readProcessUsage(pid: number): ProcessUsage {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field is the program's name and may contain any character; the fields after its closing
  // parenthesis are regular.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const residentKib = Number(/^VmRSS:\s+([0-9]+) kB$/m.exec(status)?.[1])
  const io = readFileSync(`/proc/${pid}/io`, 'utf8')
  return {
    writtenBytes: Number(/^wchar: ([0-9]+)$/m.exec(io)?.[1]),
    endedCpuSeconds: (Number(fields[13]) + Number(fields[14])) / ticksPerSecond,
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    residentBytes: residentKib * 1024,
  }
}
