import type { CommandContext } from './command.ts'

const reportEveryMs = 2_000

/** Prints the progress of a long operation every two seconds: `42 %`. */
export function createProgress({ report }: Pick<CommandContext, 'report'>): (share: number) => void {
  let reportedAt = performance.now()
  return (share) => {
    const now = performance.now()
    if (now - reportedAt < reportEveryMs) return
    reportedAt = now
    report(`${Math.floor(share * 100)} %\n`)
  }
}
