import type { CommandContext } from './command.ts'

const tellEveryMs = 2_000

/** Prints the progress of a long operation every two seconds: `42 %`. */
export function createProgress({ tell }: Pick<CommandContext, 'tell'>): (share: number) => void {
  let toldAt = performance.now()
  return (share) => {
    const now = performance.now()
    if (now - toldAt < tellEveryMs) return
    toldAt = now
    tell(`${Math.floor(share * 100)} %\n`)
  }
}
