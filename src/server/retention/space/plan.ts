/**
 * Decides which projects have to free space, without any SQL: from the bytes of every project's rows it
 * computes the bytes that each may keep.
 */

/** Kinds of rows that are deleted for lack of space. */
export const spaceKinds = ['outbox', 'attachments', 'deadLetters', 'events'] as const

export type SpaceKind = (typeof spaceKinds)[number]

/** The size of a project's rows, in bytes. */
export interface ProjectSpace {
  projectId: number
  kinds: Readonly<Record<SpaceKind, number>>
  /**
   * Rows that are not deleted for lack of space: uploaded source maps, samples, and traces, which are deleted
   * before anything else. They count towards the project's share.
   */
  fixedBytes: number
}

/** The bytes of each kind that a project may keep. */
export interface SpaceTarget {
  projectId: number
  keep: Record<SpaceKind, number>
}

/** The total bytes of a project. */
export function sumOfSpace({ kinds, fixedBytes }: ProjectSpace): number {
  return spaceKinds.reduce((bytes, kind) => bytes + kinds[kind], fixedBytes)
}

/**
 * Decides what to delete to free `missingBytes`. The largest projects free space first, down to one common
 * level; a project below it frees nothing. The same applies to the kinds of rows within a project, so that a
 * flood of attachments costs attachments. Lists only affected projects, largest share first.
 */
export function planSpace(projects: readonly ProjectSpace[], missingBytes: number): SpaceTarget[] {
  const sums = projects.map(sumOfSpace)
  const leasts = projects.map(({ fixedBytes }) => fixedBytes)
  const kept = lowerToLevel({ bytes: sums, leasts, totalBytes: sum(sums) - missingBytes })
  return projects
    .map(({ projectId, kinds, fixedBytes }, at) => ({
      given: (sums[at] ?? 0) - (kept[at] ?? 0),
      target: { projectId, keep: splitByKind(kinds, (kept[at] ?? 0) - fixedBytes) },
    }))
    .filter(({ given }) => given > 0)
    .toSorted((one, other) => other.given - one.given)
    .map(({ target }) => target)
}

/** The share of each project in a database of this size. Others may use what a project leaves free. */
export function equalShare(projectCount: number, limitBytes: number): number {
  return limitBytes / Math.max(1, projectCount)
}

function splitByKind(kinds: Readonly<Record<SpaceKind, number>>, totalBytes: number): SpaceTarget['keep'] {
  const bytes = spaceKinds.map((kind) => kinds[kind])
  const [outbox = 0, attachments = 0, deadLetters = 0, events = 0] = lowerToLevel({
    bytes,
    leasts: bytes.map(() => 0),
    totalBytes,
  })
  return { outbox, attachments, deadLetters, events }
}

interface Levelling {
  bytes: readonly number[]
  /** The lower bounds. */
  leasts: readonly number[]
  totalBytes: number
}

/** Halvings of the range that contains the level: enough for a byte in a petabyte. */
const halvings = 60

/** Caps values at the highest level that the total allows. */
function lowerToLevel({ bytes, leasts, totalBytes }: Levelling): number[] {
  if (sum(bytes) <= totalBytes) return [...bytes]
  const cutTo = (level: number) => bytes.map((each, at) => Math.max(Math.min(each, level), leasts[at] ?? 0))
  let [low, high] = [0, Math.max(...bytes)]
  for (let halving = 0; halving < halvings; halving += 1) {
    const middle = (low + high) / 2
    if (sum(cutTo(middle)) <= totalBytes) low = middle
    else high = middle
  }
  return cutTo(low)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
