import type { Event, StackTrace } from '#protocol/event.ts'
import { readMappedEvent } from '#server/console/events/events.ts'
import type { GroupingTrialResult, TriedFrame } from '#server/forms/result-views.ts'
import { groupByRules, type RuledEvent } from '#server/group/rules/apply-rules.ts'
import { parseGroupingRules, type GroupingSettings } from '#server/group/rules/grouping-rules.ts'
import type { RuledTrace } from '#server/group/rules/ruled-trace.ts'
import { limits } from '#server/limits.ts'
import { eventTitle } from '#server/normalize/title.ts'
import type { Services } from '#server/services.ts'
import { findIssueOfHash, type SampleEvent } from '#server/store/events/samples.ts'

/** A dry run: an event, the entered rules and the saved rules. */
interface Attempt {
  projectId: number
  sample: SampleEvent
  /** The rules in the form. */
  typed: GroupingSettings
  /** The saved rules. */
  grouping: GroupingSettings
}

/** Groups an event by the rules in the form, as if it arrived now. Stores nothing. One statement. */
export async function tryGrouping(
  services: Pick<Services, 'store' | 'sourceMaps'>,
  { projectId, sample, typed, grouping }: Attempt,
): Promise<GroupingTrialResult> {
  const { event: sent } = await readMappedEvent(services, { ...sample, projectId })
  const ruled = groupByRules(sent, parseGroupingRules(typed))
  const { hash, mechanism, source } = ruled.grouping
  const issue = await findIssueOfHash(services.store.db, { projectId, hash })
  const { title, subtitle } = eventTitle(ruled.event)
  const rule = ruled.fingerprintRule
  return {
    eventId: sample.eventId,
    title: ruled.title ?? (subtitle === '' ? title : `${title}: ${subtitle}`),
    hash,
    mechanism,
    source,
    isAsNow: groupByRules(sent, parseGroupingRules(grouping)).grouping.hash === hash,
    issue,
    ...(rule !== undefined && { fingerprintRule: { line: rule.line, text: rule.text } }),
    fingerprint: ruled.fingerprint,
    frames: listTriedFrames(sent, ruled),
  }
}

function listTriedFrames({ exceptions, threads }: Event, { traces }: RuledEvent): TriedFrame[] {
  const holders = [
    ...exceptions.map(({ type, stackTrace }) => ({ name: type ?? 'exception', stackTrace })),
    ...threads.map(({ name, id, stackTrace }) => ({ name: name ?? `thread ${id ?? ''}`, stackTrace })),
  ]
  const frames = holders.flatMap(({ name, stackTrace }) => {
    const ruled = stackTrace === undefined ? undefined : traces.get(stackTrace)
    return stackTrace === undefined || ruled === undefined ? [] : toTriedFrames(name, stackTrace, ruled)
  })
  return frames.slice(0, limits.triedFrames)
}

/** Lists the frames with the most recent call first, as on the issue's page. */
function toTriedFrames(of: string, { frames }: StackTrace, ruled: RuledTrace): TriedFrame[] {
  return frames
    .flatMap((frame, index): TriedFrame[] => {
      const made = ruled.frames[index]
      if (made === undefined) return []
      const { isApp, wasApp, isGrouped, rule } = made
      const path = frame.absPath ?? frame.filename ?? frame.package
      return [
        {
          of,
          function: frame.function ?? '<unknown>',
          module: frame.module,
          path,
          isApp,
          wasApp,
          isGrouped,
          ...(rule !== undefined && { rule: { line: rule.line, text: rule.text } }),
        },
      ]
    })
    .toReversed()
}
