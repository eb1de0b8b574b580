import { hasNamedBuild, orderOfBuilds, parseReleaseVersion } from '#protocol/release-version.ts'
import type { IngestStatements } from '#server/store/ingest/statements.ts'
import type { Db } from '#server/store/schema/database.ts'
import { releaseDate } from './row.ts'

/** A release with its date. */
export interface DatedRelease {
  version: string
  /** The release date if a tool has set it, otherwise when the release was first seen. Unix milliseconds. */
  datedAt: number
}

/**
 * Negative if `one` precedes `other`: by version if both have one and belong to the same package, otherwise
 * by date. Not a total order: a mixture of versions and hashes can be cyclic.
 */
export function compareReleases(one: DatedRelease, other: DatedRelease): number {
  return compareVersions(one.version, other.version) ?? one.datedAt - other.datedAt
}

/** The date of a release that this batch creates: after all others, but before future ones. */
const batchDate = Number.MAX_SAFE_INTEGER

/** The release of an event, and one that it is compared with. */
interface ComparedReleases {
  version: string
  than: string
  /** The date of `than` if it is not in the store. Unix milliseconds. */
  missingAt: number
}

/**
 * Negative if the release of an event precedes another one of the project. For the writer of a batch, inside
 * its transaction: an event's release that is not in the store is created by that batch, so all others are
 * older.
 */
export function compareReleaseOfEvent(
  statements: Pick<IngestStatements, 'findReleaseDate'>,
  projectId: number,
  { version, than, missingAt }: ComparedReleases,
): number {
  if (version === than) return 0
  const byVersion = compareVersions(version, than)
  if (byVersion !== undefined) return byVersion
  const dateOf = (name: string) => statements.findReleaseDate.get(projectId, name)?.['dated_at']
  return Number(dateOf(version) ?? batchDate) - Number(dateOf(than) ?? missingAt)
}

/**
 * The latest release of a project: the highest version of the package that was seen last, or the last seen
 * release if that has no version. Of builds that are not numbers, the last seen one. Undefined if no event
 * and no tool has named a release. At most three statements, by index.
 */
export async function findLatestRelease(db: Db, projectId: number): Promise<DatedRelease | undefined> {
  const releases = db
    .selectFrom('releases as r')
    .select(['version', 'package', 'version_order', releaseDate.as('datedAt')])
    .where('project_id', '=', projectId)
  const newest = await releases
    .orderBy(releaseDate, 'desc')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (newest === undefined || newest.version_order === '') return newest && toDated(newest)
  const ofPackage = releases.where('package', '=', newest.package).where('version_order', '<>', '')
  const highest = await ofPackage.orderBy('version_order', 'desc').limit(1).executeTakeFirst()
  if (highest === undefined || !hasNamedBuild(highest.version_order)) return toDated(highest ?? newest)
  const build = await ofPackage
    .where('version_order', '>=', orderOfBuilds(highest.version_order))
    .orderBy(releaseDate, 'desc')
    .orderBy('version_order', 'desc')
    .limit(1)
    .executeTakeFirst()
  return toDated(build ?? highest)
}

function toDated({ version, datedAt }: DatedRelease): DatedRelease {
  return { version, datedAt }
}

/**
 * Undefined if the names do not determine the order, also for builds that are not numbers. Spellings of the
 * same version are equal.
 */
function compareVersions(one: string, other: string): number | undefined {
  const [parsed, than] = [parseReleaseVersion(one), parseReleaseVersion(other)]
  if (parsed.order === undefined || than.order === undefined) return undefined
  if (parsed.package !== than.package) return undefined
  if (one === other) return 0
  if (parsed.order === than.order) return hasNamedBuild(parsed.order) ? undefined : 0
  return isOrdered(parsed.order, than.order) ? (parsed.order < than.order ? -1 : 1) : undefined
}

/** False for two builds of one version of which one is not a number: their dates are their order. */
function isOrdered(one: string, other: string): boolean {
  const builds = orderOfBuilds(one)
  if (builds !== orderOfBuilds(other) || one === builds || other === builds) return true
  return !hasNamedBuild(one) && !hasNamedBuild(other)
}
