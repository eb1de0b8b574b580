import type { Event, Frame } from '#protocol/event.ts'
import { toRepositoryPath, type SourceRoot } from './source-link.ts'

/** Frames compared with commits: those nearest to the error. */
const comparedFrames = 30

/** A commit that changed the file of a frame. */
export interface Suspect<Commit> {
  commit: Commit
  /** The file. */
  path: string
}

/**
 * The commits that changed a file of the event's in-app frames, at most `limit`: those of the frame nearest
 * to the error first, and for each frame the first commit of the list. A file matches if the project's roots
 * map the frame to it, or if the paths end with the same two or more names: `index.js` alone is not enough.
 */
export function findSuspects<Commit extends { files: readonly string[] }>(
  event: Pick<Event, 'exceptions' | 'threads'>,
  commits: readonly Commit[],
  { roots, limit }: { roots: readonly SourceRoot[]; limit: number },
): Suspect<Commit>[] {
  if (commits.length === 0) return []
  const byName = indexFiles(commits)
  const found = new Map<Commit, string>()
  for (const frame of listOwnFrames(event)) {
    for (const { commit, path } of findOfFrame(frame, roots, byName))
      if (!found.has(commit)) found.set(commit, path)
    if (found.size >= limit) break
  }
  return [...found].slice(0, limit).map(([commit, path]) => ({ commit, path }))
}

/** The files of all commits by base name. */
function indexFiles<Commit extends { files: readonly string[] }>(
  commits: readonly Commit[],
): Map<string, Suspect<Commit>[]> {
  const files = commits.flatMap((commit) => commit.files.map((path) => ({ commit, path })))
  return Map.groupBy(files, ({ path }) => lastName(path))
}

function findOfFrame<Commit>(
  { absPath, filename }: Frame,
  roots: readonly SourceRoot[],
  byName: ReadonlyMap<string, Suspect<Commit>[]>,
): Suspect<Commit>[] {
  const paths = [absPath, filename].flatMap((path) => path?.replaceAll('\\', '/') ?? [])
  const mapped = new Set(paths.map((path) => toRepositoryPath(path, roots)))
  const candidates = [...new Set(paths.map(lastName))].flatMap((name) => byName.get(name) ?? [])
  return candidates.filter(
    ({ path }) => mapped.has(path) || paths.some((framePath) => isSameEnd(path, framePath)),
  )
}

/** True if one path is the end of the other, by two or more names. */
function isSameEnd(one: string, other: string): boolean {
  const [shorter, longer] = one.length <= other.length ? [one, other] : [other, one]
  const end = shorter.replace(/^(?:\.?\/)+/, '')
  return end.includes('/') && `/${longer}`.endsWith(`/${end}`)
}

/** In-app frames of the last exception with a stack trace, else of the threads; nearest to it first. */
function listOwnFrames({ exceptions, threads }: Pick<Event, 'exceptions' | 'threads'>): Frame[] {
  const traces = [...exceptions.toReversed(), ...threads].flatMap(({ stackTrace }) => stackTrace ?? [])
  return traces
    .flatMap(({ frames }) => frames.filter(({ inApp }) => inApp === true).toReversed())
    .slice(0, comparedFrames)
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
