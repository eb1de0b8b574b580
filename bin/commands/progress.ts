import type { CommandContext } from './command.ts'

const reportEveryMs = 2_000
const redrawEveryMs = 100
const barCharacters = 24
/** A terminal with 80 columns does not wrap such a line. */
const lineCharacters = 78

/** The output for progress: a line of a terminal that is redrawn, otherwise a line every two seconds. */
type ProgressOutput = Pick<CommandContext, 'report' | 'isTerminal'>

/** Reports the progress of a long operation. */
export interface ProgressBar {
  /** `share`: from 0 to 1. */
  show(share: number, text?: string): void
  /** Ends the line of a terminal. */
  end(): void
}

/** Reports the progress of an operation by its share. */
export function createProgress(output: ProgressOutput): (share: number) => void {
  const bar = createProgressBar(output)
  return (share) => {
    bar.show(share)
    if (share >= 1) bar.end()
  }
}

/** Creates a bar. In a terminal `[#####-----]  42% text`, otherwise lines with the text. */
export function createProgressBar({ report, isTerminal = false }: ProgressOutput): ProgressBar {
  let reportedAt = performance.now()
  let isDrawn = false
  return {
    show(share, text = '') {
      const now = performance.now()
      if (isDrawn ? now - reportedAt < redrawEveryMs : !isTerminal && now - reportedAt < reportEveryMs) return
      reportedAt = now
      const percent = `${Math.floor(share * 100)}%`
      if (!isTerminal) {
        report(`${text === '' ? percent : `${percent}  ${text}`}\n`)
        return
      }
      isDrawn = true
      const filled = Math.round(share * barCharacters)
      const bar = `${'#'.repeat(filled)}${'-'.repeat(barCharacters - filled)}`
      // Erases the rest of an earlier, longer line.
      report(
        `\r${`[${bar}] ${percent.padStart(4)}  ${text}`.slice(0, lineCharacters).padEnd(lineCharacters)}`,
      )
    },
    end() {
      if (isDrawn) report('\n')
      isDrawn = false
    },
  }
}
