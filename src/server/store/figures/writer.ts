import { formatFigureDelta, sumFigures } from './delta.ts'
import type { FigureRecord } from './records.ts'
import type { FigureStatements } from './statements.ts'

/** The dependencies of `writeFigureDeltas`. */
export interface FigureContext {
  statements: FigureStatements
  nextBlockId: () => number
  /** Schedules a fold of deltas. */
  expectFold: () => void
}

/**
 * Writes the figures of a batch as one row per project, inside its transaction. Soon afterwards
 * `foldFigureDeltas` adds them to the figures, together with those of other batches.
 */
export function writeFigureDeltas(context: FigureContext, records: readonly FigureRecord[]): void {
  if (records.length === 0) return
  for (const [projectId, ofProject] of Map.groupBy(records, (record) => record.projectId)) {
    const delta = formatFigureDelta(sumFigures(ofProject))
    context.statements.insertFigureDelta.run(projectId, context.nextBlockId(), delta)
  }
  context.expectFold()
}
