import { limits } from '#server/limits.ts'
import type { SqlRow } from '#server/store/engine/connection.ts'
import { addFigureDelta, formatFigureDelta, type ProjectFigures } from './delta.ts'
import { writeFigures, type FigureFolder } from './rows.ts'

/** The dependencies of `foldFigureDeltas`. */
export interface FigureDeltaFolder extends FigureFolder {
  nextBlockId: () => number
}

/** One run of `foldFigureDeltas`. */
export interface FigureFold {
  /** True if no deltas are left. */
  isWhole: boolean
  /** Errors of unreadable deltas or figures. These are deleted, and their counts are lost. */
  damaged: Error[]
}

/** Selects the deltas to fold. */
export interface FigureFoldOptions {
  /** The projects that the transaction may write; all by default. */
  projectIds?: ReadonlySet<number> | undefined
  /** False: only the parts that an earlier fold has left. */
  takesNew: boolean
}

/**
 * Adds deltas to the figures and deletes them. Each delta is counted exactly once, whichever process folds it
 * and when. Writing a name's rows takes far longer than reading its deltas, so all pending deltas are summed
 * up. If they have too many names for one run, they become parts: deltas for each of the next runs, which
 * read them first. Call inside a write transaction.
 */
export function foldFigureDeltas(
  folder: FigureDeltaFolder,
  { projectIds, takesNew }: FigureFoldOptions,
): FigureFold {
  const { takeFigureDeltas, takeFigureDeltasOf } = folder.statements
  const ids = projectIds && JSON.stringify([...projectIds])
  const damaged: Error[] = []
  const projects: Projects = new Map()
  const partCount = takeParts(folder, ids, (parts) => {
    sumDeltas(projects, parts, damaged)
    return countNames(projects)
  })
  if (partCount > 0 || !takesNew) {
    for (const [projectId, figures] of projects) writeFigures(folder, projectId, figures)
    return { isWhole: partCount === 0, damaged }
  }
  let isWhole = false
  while (!isWhole && countNames(projects) < limits.figuresPerFold) {
    const count = limits.figureFoldDeltas
    const rows = ids === undefined ? takeFigureDeltas.all(count) : takeFigureDeltasOf.all(ids, count)
    sumDeltas(projects, rows, damaged)
    isWhole = rows.length < count
  }
  const isInParts = writeOrDivide(folder, projects)
  return { isWhole: isWhole && !isInParts, damaged }
}

/**
 * Takes a part, and further ones while they are small: a project with a few names has a part of its own.
 * `read` returns the number of names so far. Returns the number of parts.
 */
function takeParts(
  { statements: { takeFigurePart, takeFigurePartOf } }: FigureDeltaFolder,
  ids: string | undefined,
  read: (parts: readonly SqlRow[]) => number,
): number {
  let [partCount, nameCount] = [0, 0]
  while (nameCount < limits.figuresPerPart / 2) {
    const parts = ids === undefined ? takeFigurePart.all() : takeFigurePartOf.all(ids)
    if (parts.length === 0) break
    partCount += 1
    nameCount = read(parts)
  }
  return partCount
}

type Projects = Map<number, ProjectFigures>

function sumDeltas(projects: Projects, rows: readonly SqlRow[], damaged: Error[]): void {
  for (const row of rows) {
    const projectId = Number(row['project_id'])
    const figures: ProjectFigures = projects.get(projectId) ?? new Map()
    projects.set(projectId, figures)
    const note = (cause: unknown) => damaged.push(new Error(`figures of project ${projectId}`, { cause }))
    try {
      const damage = addFigureDelta(figures, String(row['data']))
      if (damage !== undefined) note(damage)
    } catch (error) {
      note(error)
    }
  }
}

function countNames(projects: Projects): number {
  return projects.values().reduce((sum, { size }) => sum + size, 0)
}

/**
 * Writes the names if they are few enough for one run. Otherwise writes all of them back in parts, because
 * summing them up took as long as writing a part. Returns whether there are parts.
 */
function writeOrDivide(folder: FigureDeltaFolder, projects: Projects): boolean {
  const count = countNames(projects)
  if (count <= limits.figuresPerPart) {
    for (const [projectId, figures] of projects) writeFigures(folder, projectId, figures)
    return false
  }
  // As many parts as there are runs within `limits.counterFoldDelayMs`.
  const perPart = Math.max(limits.figuresPerPart, Math.ceil(count / (limits.counterFoldSlices - 1)))
  for (const [projectId, figures] of projects) {
    const all = [...figures]
    for (let at = 0; at < all.length; at += perPart) {
      const part = formatFigureDelta(new Map(all.slice(at, at + perPart)))
      folder.statements.insertFigureDelta.run(projectId, -folder.nextBlockId(), part)
    }
  }
  return true
}

/** Counts the pending deltas. */
export function countFigureDeltas({ statements }: Pick<FigureFolder, 'statements'>): number {
  return Number(statements.countFigureDeltas.get()?.['delta_count'])
}
