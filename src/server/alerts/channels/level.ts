/** The loudness of a level: 0 for information, 3 for fatal. Unknown levels count as errors. */
export function loudnessOf(level: string): 0 | 1 | 2 | 3 {
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
  return colors[loudnessOf(level)]
}
