import type { Diagnosis } from '#server/data-dir/diagnosis.ts'
import type { Env } from '#server/env.ts'
import { equalShare, sumOfSpace, type ProjectSpace } from '#server/retention/space/plan.ts'
import { toProjectSpaces } from '#server/retention/space/project-space.ts'
import { findByteLimit, readDisk } from '#server/retention/space/space.ts'
import type { UpstreamFigures } from '#server/store/upstreams/figures.ts'
import { sizeText } from '../size-text.ts'

/** The figures of a data directory as text: files, space, upstreams, tables. */
export function toDataReport(diagnosis: Diagnosis, env: Env): string {
  return [toLines(fileFacts(diagnosis, env)), toLines(settingFacts(env)), toTable(diagnosis)].join('\n')
}

type Fact = [name: string, value: string]

function fileFacts(diagnosis: Diagnosis, env: Env): Fact[] {
  const { path, databaseBytes, logBytes, space, lastBackup, oldFiles, isInUse } = diagnosis
  return [
    ['Database', `${path}, ${sizeText(databaseBytes)}, ${isInUse ? 'in use' : 'not in use'}`],
    ['Log', `${sizeText(logBytes)} not yet in the database`],
    [
      'Disk',
      space === undefined
        ? 'unknown'
        : `${sizeText(space.freeBytes)} free, rejects below ${sizeText(space.floorBytes)}`,
    ],
    ['Dead letters', String(diagnosis.deadLetterCount)],
    [
      'Pending counts',
      `${diagnosis.waitingEventCount} ${diagnosis.waitingEventCount === 1 ? 'event' : 'events'}`,
    ],
    ['Copy of settings', diagnosis.settingsCopy],
    [
      'Last backup',
      lastBackup === undefined ? 'none' : `${new Date(lastBackup.at).toISOString()}, ${lastBackup.path}`,
    ],
    ...spaceFacts(diagnosis, env),
    ...diagnosis.upstreams.map((figures): Fact => ['Forwarded to', upstreamText(figures)]),
    ...oldFiles.map(({ name, bytes }): Fact => ['Rejected', `${name}, ${sizeText(bytes)}`]),
  ]
}

/** Projects listed: the largest, whose events retention deletes first. */
const listedProjects = 10

function spaceFacts({ usedBytes, projects, path, databaseBytes }: Diagnosis, { maxBytes }: Env): Fact[] {
  const limitBytes = findByteLimit({ maxBytes, fileBytes: databaseBytes, disk: readDisk({ path }) })
  const shareBytes = equalShare(projects.length, limitBytes)
  const spaces = toProjectSpaces(projects, usedBytes).projects.toSorted(
    (one, other) => sumOfSpace(other) - sumOfSpace(one),
  )
  return [
    [
      'Space',
      `${sizeText(usedBytes)} of ${sizeText(limitBytes)} in use, an equal share is ${sizeText(shareBytes)}`,
    ],
    ...spaces.slice(0, listedProjects).map((space): Fact => {
      const slug = projects.find(({ projectId }) => projectId === space.projectId)?.slug ?? ''
      return ['', spaceText(slug, space, shareBytes)]
    }),
  ]
}

function spaceText(slug: string, space: ProjectSpace, shareBytes: number): string {
  const { outbox, attachments } = space.kinds
  const bytes = sumOfSpace(space)
  const parts = [
    ...(attachments > 0 ? [`attachments ${sizeText(attachments)}`] : []),
    ...(outbox > 0 ? [`queued envelopes ${sizeText(outbox)}`] : []),
  ]
  const mark = bytes > shareBytes ? ', over its share: its oldest data is deleted first' : ''
  return `${slug} ${sizeText(bytes)}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}${mark}`
}

function upstreamText(figures: UpstreamFigures): string {
  const { slug, dsn, deliveredCount, waitingCount, waitingBytes, oldestWaitingAt } = figures
  const { failedCount, droppedCount, isPaused, failureCount } = figures
  const oldest = oldestWaitingAt === undefined ? '' : ` since ${new Date(oldestWaitingAt).toISOString()}`
  return [
    `${slug} to ${dsn.host}/${dsn.projectId}`,
    ...(isPaused ? ['paused'] : []),
    ...(failureCount > 0 ? [`unreachable, ${failureCount} failures in a row`] : []),
    `${deliveredCount} delivered`,
    `${waitingCount} queued${waitingCount === 0 ? '' : ` (${sizeText(waitingBytes)}${oldest})`}`,
    `${failedCount} rejected`,
    `${droppedCount} discarded`,
  ].join(', ')
}

function settingFacts(env: Env): Fact[] {
  return [
    ['HOST, PORT', `${env.host}, ${env.port}`],
    ['CULVERT_ORIGIN', env.origin ?? '(not set)'],
    ['CULVERT_DATA_DIR', env.dataDir],
    ['CULVERT_MAX_BYTES', sizeText(env.maxBytes)],
    ['Private upstreams', env.allowsPrivateUpstreams ? 'allowed' : 'not connected to'],
    ['SENTRY_ENVIRONMENT', env.environment],
    ['LOG_LEVEL', env.logLevel],
  ]
}

function toLines(facts: Fact[]): string {
  return facts.map(([name, value]) => `${name.padEnd(20)}${value}\n`).join('')
}

function toTable({ tables }: Diagnosis): string {
  const rows = tables.map(({ name, rowCount, bytes }) => [name, String(rowCount), sizeText(bytes)] as const)
  return [['table', 'rows', 'size with indexes'] as const, ...rows]
    .map(([name, count, size]) => `${name.padEnd(20)}${count.padStart(12)}  ${size.padStart(18)}\n`)
    .join('')
}
