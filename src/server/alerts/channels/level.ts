import { toItemBasics, type AlertMessage } from '#server/alerts/message.ts'

type Severity = 0 | 1 | 2 | 3

/** The severity of a level: 0 for information, 3 for fatal. Unknown levels count as errors. */
export function severityOf(level: string): Severity {
  switch (level) {
    case 'fatal':
      return 3
    case 'warning':
      return 1
    case 'info':
    case 'debug':
    case 'sample':
      return 0
    default:
      return 2
  }
}

const colors = [0x3b_82_f6, 0xd9_77_06, 0xdc_26_26, 0x99_1b_1b] as const

/** The colour of a level, `0xRRGGBB`. */
export function levelColor(level: string): number {
  return colors[severityOf(level)]
}

/** The severity of a message: the highest of its items. */
export function highestSeverity({ items }: AlertMessage): Severity {
  return items.reduce<Severity>((highest, item) => {
    const severity = severityOf(toItemBasics(item).level)
    return severity > highest ? severity : highest
  }, 0)
}
