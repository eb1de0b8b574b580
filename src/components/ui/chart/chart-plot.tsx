import type { ReactNode } from 'react'
import { compactCount } from '#numbers/number-text.ts'

/** A drawing of counts with its scale: the values of its top line and its bottom line. */
export function ChartPlot({ peak, children }: { peak: number; children: ReactNode }) {
  return (
    <div className="chart-plot">
      <p aria-hidden="true">
        <span>{peak > 0 && compactCount(peak)}</span>
        <span>0</span>
      </p>
      {children}
    </div>
  )
}
