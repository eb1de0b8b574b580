import { limits } from '#server/limits.ts'
import { addFigureDelta, type ProjectFigures } from './figure-delta.ts'
import { writeFigures, type FigureFolder } from './figure-rows.ts'

/** One run of `foldFigureDeltas`. */
export interface FigureFold {
  /** No more deltas were waiting than this run took. */
  isWhole: boolean
  /** Unreadable deltas. They are deleted, and their counts are lost. */
  damaged: Error[]
}

/**
 * Adds the oldest deltas to the figures and deletes them, so that each is counted exactly once, by any
 * process and at any time. Call inside a write transaction; `projectIds` are the projects that it may write.
 */
export function foldFigureDeltas(folder: FigureFolder, projectIds?: ReadonlySet<number>): FigureFold {
  const { takeFigureDeltas, takeFigureDeltasOf } = folder.statements
  const rows =
    projectIds === undefined
      ? takeFigureDeltas.all(limits.figureFoldDeltas)
      : takeFigureDeltasOf.all(JSON.stringify([...projectIds]), limits.figureFoldDeltas)
  const fold: FigureFold = { isWhole: rows.length < limits.figureFoldDeltas, damaged: [] }
  for (const [projectId, ofProject] of Map.groupBy(rows, (row) => Number(row['project_id']))) {
    const figures: ProjectFigures = new Map()
    for (const { data } of ofProject) {
      try {
        addFigureDelta(figures, String(data))
      } catch (error) {
        fold.damaged.push(new Error(`figures of project ${projectId}`, { cause: error }))
      }
    }
    writeFigures(folder, projectId, figures)
  }
  return fold
}

/** Counts the deltas that wait. */
export function countFigureDeltas({ statements }: Pick<FigureFolder, 'statements'>): number {
  return Number(statements.countFigureDeltas.get()?.['delta_count'])
}
