import * as v from 'valibot'
import { levels } from '#protocol/event.ts'
import type { AlertSubject } from './decide.ts'

/** The kinds of problems because of which events of a project are not stored or not forwarded. */
export const troubleKinds = ['rate_limit', 'spike', 'upstream', 'disk_low', 'disk_full'] as const
export type TroubleKind = (typeof troubleKinds)[number]

/** The text of a project's transition, as of its time. */
export const alertNotice = v.object({
  about: v.picklist(['release', 'first_event', 'crash_free', ...troubleKinds]),
  /** The version of a release, the id of an upstream, or the issue that caused spike protection. */
  subject: v.string(),
  /** For a release it is the version, which any client with a DSN can set. */
  title: v.string(),
  level: v.picklist(levels),
  environments: v.array(v.string()),
  release: v.optional(v.string()),
})

export type AlertNotice = v.InferOutput<typeof alertNotice>

/** A text that is equal at the start and at the end of an ingest problem. */
export function toNoticeKey({ about, subject }: Pick<AlertNotice, 'about' | 'subject'>): string {
  // One problem of the project, whose end has no issue.
  return about === 'spike' ? about : `${about} ${subject}`.trim()
}

/** A notice as the input of filters. `at`: of its transition. */
export function toNoticeSubject(
  { title, level, environments, release }: AlertNotice,
  at: number,
): AlertSubject {
  return { title, culprit: '', level, firstSeenAt: at, environments, release, tags: {}, isAssigned: false }
}

/** The notice of a release that was created. */
export function toReleaseNotice(version: string, environments: readonly string[] = []): AlertNotice {
  return {
    about: 'release',
    subject: version,
    title: version,
    level: 'info',
    environments: [...environments],
    release: version,
  }
}

/** The notice of the first event of a project, with its issue. */
export function toFirstEventNotice({
  title,
  environment,
  release,
}: {
  title: string
  environment: string
  release?: string | undefined
}): AlertNotice {
  return { about: 'first_event', subject: '', title, level: 'info', environments: [environment], release }
}

/** The titles at the beginning and at the end of an ingest problem. */
const troubleTitles: Record<TroubleKind, readonly [begun: string, over: string]> = {
  rate_limit: ['A rate limit is reached, events are rejected', 'Events are within the rate limits again'],
  spike: [
    'Spike protection is on, some events of an issue are only counted',
    'Spike protection is off, every event is stored again',
  ],
  upstream: ['An upstream does not accept envelopes', 'The upstream accepts envelopes again'],
  disk_low: ['The disk is nearly full, old events are deleted early', 'The disk has enough space again'],
  disk_full: ['The disk is full, no events are accepted', 'The disk has space, events are accepted again'],
}

/** The notice of an ingest problem. `detail` is added to the title: host and response of an upstream. */
export function toTroubleNotice(
  about: TroubleKind,
  { subject = '', detail, isOver = false }: { subject?: string; detail?: string; isOver?: boolean } = {},
): AlertNotice {
  const title = troubleTitles[about][isOver ? 1 : 0]
  const severity = about === 'disk_full' ? 'fatal' : about === 'spike' ? 'warning' : 'error'
  return {
    about,
    subject,
    title: detail === undefined ? title : `${title}: ${detail}`,
    level: isOver ? 'info' : severity,
    environments: [],
  }
}

/** The path of the console page about a notice. */
export function toNoticePath({ about, subject, release }: AlertNotice, slug: string): string {
  const project = encodeURIComponent(slug)
  switch (about) {
    case 'release':
    case 'crash_free':
      return release === undefined
        ? `/releases?project=${project}`
        : `/releases/${encodeURIComponent(release)}?project=${project}`
    case 'first_event':
      return `/issues?project=${project}`
    case 'rate_limit':
      return `/outcomes?project=${project}`
    case 'spike':
      return subject === '' ? `/outcomes?project=${project}` : `/issues/${encodeURIComponent(subject)}`
    case 'upstream':
      return '/tunnel'
    case 'disk_low':
    case 'disk_full':
  }
  return '/settings/system'
}
