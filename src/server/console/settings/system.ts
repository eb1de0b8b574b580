import { existsSync, statSync } from 'node:fs'
import { release } from '#monitoring/release.ts'
import { canConfigure, reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { equalShare, sumOfSpace } from '#server/retention/space/plan.ts'
import { toProjectSpaces } from '#server/retention/space/project-space.ts'
import { findByteLimit, readDisk } from '#server/retention/space/space.ts'
import type { Services } from '#server/services.ts'
import { findDatabaseFolder } from '#server/store/engine/database-folder.ts'
import type { ReadReplica } from '#server/store/engine/read-replica.ts'
import { readFreeSpace } from '#server/store/engine/sqlite/free-space.ts'
import { isAlive, listProcesses, type SeenProcess } from '#server/store/installation/processes.ts'
import { findSetting, lastBackupKey, parseLastBackup } from '#server/store/installation/settings.ts'
import { findCountsDelay } from '#server/store/issues/counts-delay.ts'
import { listProjectsWithDeadLetters } from '#server/store/outcomes/dead-letters.ts'
import { listOutcomeSteps } from '#server/store/outcomes/outcomes.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import { listStoredSpace } from '#server/store/projects/space.ts'
import { hourMs, hourOf } from '#time/time-steps.ts'
import type { MailFigures, ProcessFigures, ProjectSpaceFigures, ReplicaFigures, SystemView } from './views.ts'

/** The system status. Five statements; only for viewers who may configure an organization. */
export async function getSystemView(services: Services, viewer: Viewer): Promise<SystemView> {
  const now = services.clock()
  const isAdmin = canConfigure(viewer)
  if (!isAdmin) return { now }
  const { store, metrics, readiness } = services
  const [projects, backup, today, processes, sizes, problems, replica, countsDelayMs] = await Promise.all([
    listProjectsWithDeadLetters(store.db),
    findSetting(store.db, lastBackupKey),
    listOutcomeSteps(store.db, {
      projectIds: reachableProjects(viewer),
      since: hourOf(now) - 23 * hourMs,
      stepMs: hourMs,
    }),
    listProcesses(store),
    metrics.sizes.find(),
    readiness.findProblems(),
    store.replica && readReplica(store.replica),
    findCountsDelay(store.db, { projectIds: reachableProjects(viewer), now }),
  ])
  const reach = new Map(
    projects
      .filter(({ project }) => reachableProjects(viewer).includes(project.id))
      .map((each) => [each.project.id, each]),
  )
  const lastBackup = parseLastBackup(backup)
  return {
    now,
    system: {
      problems,
      processes: processes.map((each) => toProcessFigures(each, services.heartbeat.processId, now)),
      startedAt: metrics.startedAt,
      versions: readVersions(services),
      memory: readMemory(),
      loopDelay: metrics.loop.read(),
      disk: readDiskFigures(services),
      ...(replica && { replica }),
      mail: readMail(services),
      ...(sizes && { sizes: { measuredAt: sizes.measuredAt, groups: sizes.groups } }),
      spaces: readSpaces(services, reach),
      hours24: toHours(today, now),
      deadLetterCount: [...reach.values()].reduce((sum, { deadLetterCount }) => sum + deadLetterCount, 0),
      countsDelayMs,
      ...(lastBackup && { lastBackup: { at: lastBackup.at, bytes: lastBackup.bytes } }),
    },
  }
}

function toProcessFigures(
  { cpuPermille, origin: _origin, ...process }: SeenProcess,
  ownId: string,
  now: number,
): ProcessFigures {
  const isThis = process.id === ownId
  return { ...process, isThis, isLate: !isAlive(process, now), cpuShare: cpuPermille / 1000 }
}

async function readReplica(replica: ReadReplica): Promise<ReplicaFigures> {
  const { isUsed, lagMs, problem } = await replica.check()
  return { name: replica.name, isUsed, lagMs, problem }
}

function readMail({ mailCheck }: Services): MailFigures | undefined {
  const { server } = mailCheck
  return server === undefined ? undefined : { server, problem: mailCheck.findProblem() }
}

function readVersions({ store }: Services) {
  return [
    { name: 'Culvert', version: release },
    { name: 'Node.js', version: process.versions.node },
    { name: store.engine.name, version: store.engine.readVersion() },
  ]
}

function readMemory() {
  const { rss, heapUsed, external } = process.memoryUsage()
  return { residentBytes: rss, heapBytes: heapUsed, externalBytes: external }
}

function readDiskFigures({ store, env }: Services) {
  const { fileBytes, usedBytes } = store.engine.readSize()
  const log = `${store.path}-wal`
  const folder = findDatabaseFolder(store.path)
  const free = folder === undefined ? undefined : readFreeSpace(folder)
  return {
    fileBytes,
    usedBytes,
    logBytes: existsSync(log) ? statSync(log).size : 0,
    limitBytes: findByteLimit({ maxBytes: env.maxBytes, fileBytes, disk: readDisk(store) }),
    ...(free && { freeBytes: free.freeBytes }),
  }
}

/** The disk space of the viewer's projects. */
function readSpaces(
  { store, env }: Services,
  reach: ReadonlyMap<number, { project: ProjectName }>,
): ProjectSpaceFigures {
  const { fileBytes, usedBytes } = store.engine.readSize()
  const stored = listStoredSpace(store.connection)
  const { projects } = toProjectSpaces(stored, usedBytes - store.engine.emptyBytes)
  const limitBytes = findByteLimit({ maxBytes: env.maxBytes, fileBytes, disk: readDisk(store) })
  return {
    shareBytes: equalShare(stored.length, limitBytes),
    projects: projects
      .flatMap((space) => {
        const project = reach.get(space.projectId)?.project
        const eventCount = stored.find(({ projectId }) => projectId === space.projectId)?.eventCount ?? 0
        return project === undefined ? [] : [{ project, eventCount, bytes: sumOfSpace(space) }]
      })
      .toSorted((one, other) => other.bytes - one.bytes),
  }
}

/** Accepted items by hour, oldest first. */
function toHours(steps: Awaited<ReturnType<typeof listOutcomeSteps>>, now: number): number[] {
  const first = hourOf(now) - 23 * hourMs
  const hours = Array.from({ length: 24 }, () => 0)
  for (const { outcome, startAt, quantity } of steps) {
    const index = Math.min((startAt - first) / hourMs, 23)
    if (outcome === 'accepted') hours[index] = (hours[index] ?? 0) + quantity
  }
  return hours
}
