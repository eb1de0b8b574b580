import * as v from 'valibot'
import { levels } from '#protocol/event.ts'
import { dayMs, hourMs, minuteMs } from '#time/time-steps.ts'
import { isTimeZone } from '#time/time-zone.ts'
import { alertTransitions } from './transition.ts'

/** The windows of a threshold, in milliseconds. */
const thresholdWindows = [minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs, dayMs] as const

/** The windows of a crash-free rate, in milliseconds. */
const crashFreeWindows = [hourMs, 6 * hourMs, dayMs, 7 * dayMs] as const

const longestThrottleMs = 30 * dayMs
const timeOfDay = v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time as 22:00.'))
const text = v.pipe(
  v.string(),
  v.trim(),
  v.nonEmpty('Enter a text.'),
  v.maxLength(200, 'Use at most 200 characters.'),
)
const count = v.pipe(v.number(), v.safeInteger('Enter a whole number.'), v.minValue(1, 'Enter 1 or more.'))

const filter = v.variant('kind', [
  v.object({ kind: v.literal('environment'), is: v.boolean(), value: text }),
  v.object({ kind: v.literal('release'), is: v.boolean(), value: text }),
  v.object({ kind: v.literal('tag'), is: v.boolean(), key: text, value: text }),
  /** This level or a more severe one. */
  v.object({ kind: v.literal('level'), atLeast: v.picklist(levels) }),
  v.object({ kind: v.literal('assigned'), is: v.boolean() }),
  /** The user who is assigned. */
  v.object({
    kind: v.literal('assignee'),
    is: v.boolean(),
    id: v.pipe(v.string(), v.nonEmpty('Name a member.')),
  }),
  /** A part of the path of the top in-app frame. */
  v.object({ kind: v.literal('path'), is: v.boolean(), value: text }),
  /** A part of the title or of the culprit, case-insensitive. */
  v.object({ kind: v.literal('text'), is: v.boolean(), value: text }),
  /** Since the issue was first seen. */
  v.object({
    kind: v.literal('age'),
    than: v.picklist(['older', 'newer']),
    ms: v.pipe(v.number(), v.safeInteger(), v.minValue(minuteMs, 'Enter one minute or more.')),
  }),
])

const id = v.pipe(v.string(), v.nonEmpty('Choose a receiver.'), v.maxLength(100))

/** The receivers. Users are notified by their own preferences. */
const action = v.variant('kind', [
  /** A destination of the organization. */
  v.object({ kind: v.literal('destination'), id }),
  /** A user, while they have access to the project. */
  v.object({ kind: v.literal('person'), id }),
  /** Every user with access to the project. */
  v.object({ kind: v.literal('members') }),
  v.object({ kind: v.literal('assignee') }),
  /** The code owners of the event by ownership rules or CODEOWNERS. */
  v.object({ kind: v.literal('owners') }),
  /** The assignee and the users who commented. */
  v.object({ kind: v.literal('participants') }),
  /** The users mentioned in the comment. */
  v.object({ kind: v.literal('mentioned') }),
  /** Owners and admins of the organization. */
  v.object({ kind: v.literal('admins') }),
])

const quietHours = v.pipe(
  v.object({
    from: timeOfDay,
    to: timeOfDay,
    /** IANA name. */
    timeZone: v.pipe(
      v.string(),
      v.check(isTimeZone, 'Unknown time zone. Use an IANA name, such as Europe/Berlin.'),
    ),
    /** Alerts about fatal issues are also sent during quiet hours. */
    lettingFatal: v.boolean(),
  }),
  v.forward(
    v.check(
      ({ from, to }) => from !== to,
      'The quiet hours begin and end at the same time: choose another end.',
    ),
    ['to'],
  ),
)

const threshold = v.object({
  of: v.picklist(['events', 'users']),
  atLeast: count,
  /** A number of events or users, or a percentage of the previous window. */
  unit: v.picklist(['count', 'percent']),
  windowMs: v.picklist(thresholdWindows, 'Choose a window of 1, 5 or 15 minutes, an hour or a day.'),
})

const crashFree = v.pipe(
  v.object({
    of: v.picklist(['sessions', 'users']),
    /** Percent. */
    below: v.pipe(
      v.number(),
      v.minValue(1, 'Enter 1% or more.'),
      v.maxValue(99.999, 'Enter less than 100%.'),
    ),
    /** True: for each release. False: for the project as a whole. */
    isOfRelease: v.boolean(),
    windowMs: v.picklist(crashFreeWindows, 'Choose a window of 1 or 6 hours, 1 or 7 days.'),
    /** The rate is not evaluated with fewer sessions or users. */
    atLeast: count,
  }),
  v.forward(
    v.check(
      ({ of, windowMs }) => of === 'sessions' || windowMs >= dayMs,
      'Users are counted by the day: choose a window of 1 or 7 days.',
    ),
    ['windowMs'],
  ),
)

/** The fields of a rule. Validate with `alertRule`. */
export const ruleFields = v.object({
  name: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty('Enter a name.'),
    v.maxLength(256, 'Use at most 256 characters.'),
  ),
  isEnabled: v.boolean(),
  /** One matching transition is enough. */
  transitions: v.pipe(
    v.array(v.picklist(alertTransitions)),
    v.minLength(1, 'Choose at least one transition.'),
  ),
  threshold: v.optional(threshold),
  crashFree: v.optional(crashFree),
  /** All filters have to match. */
  filters: v.pipe(v.array(filter), v.maxLength(20, 'Use at most 20 filters.')),
  /**
   * At most one message per issue, release or ingest problem in this time; 0: each transition. Milliseconds.
   */
  throttleMs: v.pipe(
    v.number(),
    v.safeInteger(),
    v.minValue(0),
    v.maxValue(longestThrottleMs, 'Select at most 30 days.'),
  ),
  quietHours: v.optional(quietHours),
  actions: v.pipe(
    v.array(action),
    v.minLength(1, 'Choose at least one receiver.'),
    v.maxLength(20, 'Use at most 20 receivers.'),
  ),
})

export type AlertRule = v.InferOutput<typeof ruleFields>
export type AlertAction = v.InferOutput<typeof action>
export type AlertFilter = v.InferOutput<typeof filter>
export type AlertThreshold = v.InferOutput<typeof threshold>
export type CrashFreeLimit = v.InferOutput<typeof crashFree>
export type QuietHours = v.InferOutput<typeof quietHours>
