import type { HourCounts } from '#server/store/issues/records.ts'
import type { ProjectName } from '#server/store/projects/records.ts'

/** The system status. `system` is absent without the permission. */
export interface SystemView {
  now: number
  system?: SystemFigures
}

export interface SystemFigures {
  /** Why a load balancer should send no requests to this process; empty if it is healthy. */
  problems: string[]
  /** The processes on the database, in the order of their start. */
  processes: ProcessFigures[]
  startedAt: number
  versions: { name: string; version: string }[]
  memory: { residentBytes: number; heapBytes: number; externalBytes: number }
  /** Milliseconds, of the last minute. */
  loopDelay: { p50: number; p99: number; max: number }
  disk: DiskFigures
  /** Absent without a read replica. */
  replica?: ReplicaFigures
  /** Absent without a mail server. */
  mail?: MailFigures
  /** Absent while they are being measured. */
  sizes?: SizeFigures
  spaces: ProjectSpaceFigures
  /** Accepted items per hour, oldest first; the last hour is the current one. */
  hours24: HourCounts
  deadLetterCount: number
  /** The delay with which the oldest event is counted; absent unless it is unusual. */
  countsDelayMs?: number
  /** Absent before the first backup. */
  lastBackup?: { at: number; bytes: number }
}

/** A process with its recent load. */
export interface ProcessFigures {
  id: string
  host: string
  pid: number
  version: string
  startedAt: number
  seenAt: number
  /** True if it has missed several heartbeats. */
  isLate: boolean
  /** True for the process that rendered this page. */
  isThis: boolean
  itemsPerMinute: number
  /** Share of one core, where 1 is all of it. */
  cpuShare: number
  memoryBytes: number
}

/** A replica that answers reads. */
export interface ReplicaFigures {
  /** Host and database. */
  name: string
  isUsed: boolean
  /** Milliseconds of lag behind the primary; absent if unknown. */
  lagMs?: number
  /** The reason why it is not used. */
  problem?: string
}

/** The mail server, as host and port. */
export interface MailFigures {
  server: string
  /** The reason why it does not accept mail. */
  problem?: string | undefined
}

/** The database's files and their disk, in bytes. */
export interface DiskFigures {
  fileBytes: number
  /** Without free pages. */
  usedBytes: number
  /** The write-ahead log of the database. */
  logBytes: number
  /** The limit that retention enforces. */
  limitBytes: number
  /** Absent if the system does not report it. */
  freeBytes?: number
}

/** The size of the database by kind. */
export interface SizeFigures {
  measuredAt: number
  /** Largest first, each with its tables. The size of a table includes its indexes. */
  groups: { name: string; bytes: number; tables: { name: string; bytes: number }[] }[]
}

/** The size of the database by project. */
export interface ProjectSpaceFigures {
  /** The limit divided equally among all projects. */
  shareBytes: number
  /** Largest first. */
  projects: { project: ProjectName; eventCount: number; bytes: number }[]
}
