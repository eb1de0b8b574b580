import type { HourCounts } from '#server/store/issues/records.ts'
import type { ProjectName } from '#server/store/projects/records.ts'

/** The system status. `system` is absent without the permission. */
export interface SystemView {
  now: number
  system?: SystemFigures
}

export interface SystemFigures {
  /** Why a load balancer should send nothing here; none when all is well. */
  problems: string[]
  /** Those on the database, the one that started first at the beginning. */
  processes: ProcessFigures[]
  startedAt: number
  versions: { name: string; version: string }[]
  memory: { residentBytes: number; heapBytes: number; externalBytes: number }
  /** Milliseconds, of the last minute. */
  loopDelay: { p50: number; p99: number; max: number }
  disk: DiskFigures
  /** Absent without a replica for reads. */
  replica?: ReplicaFigures
  /** Absent without a mail server. */
  mail?: MailFigures
  /** Absent while they are being measured. */
  sizes?: SizeFigures
  spaces: ProjectSpaceFigures
  /** Items accepted in each hour, oldest first; the last one is the running one. */
  hours24: HourCounts
  deadLetterCount: number
  /** For how long the oldest event has waited to be counted; absent while that is usual. */
  countsDelayMs?: number
  /** Absent before the first one. */
  lastBackup?: { at: number; bytes: number }
}

/** A process, with its load in the last seconds. */
export interface ProcessFigures {
  id: string
  host: string
  pid: number
  version: string
  startedAt: number
  seenAt: number
  /** It has missed several heartbeats. */
  isLate: boolean
  /** It made this page. */
  isThis: boolean
  itemsPerMinute: number
  /** Share of one core: 1 is all of it. */
  cpuShare: number
  memoryBytes: number
}

/** A replica that answers reads. */
export interface ReplicaFigures {
  /** Host and database. */
  name: string
  isUsed: boolean
  /** Milliseconds behind the primary; absent where unknown. */
  lagMs?: number
  /** Why it is not used. */
  problem?: string
}

/** The mail server, as host and port. */
export interface MailFigures {
  server: string
  /** Why it does not accept mail. */
  problem?: string | undefined
}

/** The database's file and the disk under it, in bytes. */
export interface DiskFigures {
  fileBytes: number
  /** Without pages that are free. */
  usedBytes: number
  /** The write-ahead log of the database. */
  logBytes: number
  /** The limit that retention enforces. */
  limitBytes: number
  /** Absent where the system does not report it. */
  freeBytes?: number
}

/** The size of the database by kind. */
export interface SizeFigures {
  measuredAt: number
  /** Largest first, each with its tables. Indexes count with their table. */
  groups: { name: string; bytes: number; tables: { name: string; bytes: number }[] }[]
}

/** The size of the database by project. */
export interface ProjectSpaceFigures {
  /** Of the limit, divided equally among all projects. */
  shareBytes: number
  /** Largest first. */
  projects: { project: ProjectName; eventCount: number; bytes: number }[]
}
