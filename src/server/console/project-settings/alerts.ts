import * as v from 'valibot'
import type { FilterPerson } from '#alerts/filter-text.ts'
import { formatRule } from '#alerts/sentence.ts'
import { projectsWith, type Viewer } from '#server/auth/viewer.ts'
import {
  readRuleFields,
  ruleFormFields,
  toRuleFields,
  type ReadRule,
} from '#server/console/alerts/rule-fields.ts'
import type { AlertMuteView, AlertRuleView } from '#server/console/alerts/views.ts'
import { rawText, nameText } from '#server/forms/fields.ts'
import { reject, type FormOutcome } from '#server/forms/form.ts'
import { markOf, rejectOutdated } from '#server/forms/mark.ts'
import { limits } from '#server/limits.ts'
import { listMembers, type MemberRecord } from '#server/store/accounts/members.ts'
import { dryRunRule } from '#server/store/alerts/history/dry-run.ts'
import { deleteAlertMute, listAlertMutes, recordAlertMute } from '#server/store/alerts/mutes.ts'
import type { StoredMute } from '#server/store/alerts/mutes.ts'
import { findUnknownReference, listDestinationNames } from '#server/store/alerts/names.ts'
import {
  deleteAlertRule,
  findRuleScope,
  listAlertRules,
  listUnreadableRules,
  recordAlertRule,
  updateAlertRule,
} from '#server/store/alerts/rules.ts'
import type { AlertScope, StoredRule } from '#server/store/alerts/rules.ts'
import { listFullWindows } from '#server/store/alerts/thresholds/full-windows.ts'
import type { ProjectDetails } from '#server/store/projects/details.ts'
import type { Store } from '#server/store/store.ts'
import { hourMs } from '#time/time-steps.ts'
import { done, projectForm, type ProjectCall } from './project-form.ts'
import { defineProjectPage } from './project-page.ts'

const add = projectForm(ruleFormFields, async (form) => {
  const read = await readForm(form, true)
  if (!read.ok) return reject(read.problems)
  const id = await recordAlertRule(form.services.store, {
    ...scopeOf(form.project, form.fields.scope),
    rule: read.rule,
  })
  return id === undefined
    ? reject(`The organization has ${limits.alertRules} rules: delete one first.`)
    : done('Rule added.')
})

const save = projectForm(v.object({ rule: rawText, ...ruleFormFields.entries }), (form) =>
  withRule(form, form.fields.rule, async (stored) => {
    const outdated = rejectOutdated(form.mark, markOf(stored.rule))
    if (outdated !== undefined) return outdated
    const read = await readForm(form, stored.rule.isEnabled)
    if (!read.ok) return reject(read.problems)
    await updateAlertRule(form.services.store, {
      ...scopeOf(form.project, form.fields.scope),
      ruleId: stored.id,
      rule: read.rule,
    })
    return done('Rule saved.')
  }),
)

/** Returns what the entered rule would have done in the last days; nothing is stored. */
const tryRule = projectForm(v.object({ rule: rawText, ...ruleFormFields.entries }), async (form) => {
  const read = await readForm(form, true)
  if (!read.ok) return reject(read.problems)
  const { services, project, fields, viewer } = form
  const all = viewer.memberships.find(({ organizationId }) => organizationId === project.organizationId)
  const projectIds = fields.scope === 'all' ? (all?.projectIds ?? []) : [project.id]
  const run = await dryRunRule(services.store.db, {
    rule: { id: fields.rule, rule: read.rule },
    organizationId: project.organizationId,
    projectIds,
    now: services.clock(),
  })
  return { kind: 'shown', shown: { kind: 'alert-dry-run', ruleId: fields.rule, run } }
})

const toggle = projectForm(v.object({ rule: rawText, isOn: rawText }), (form) =>
  withRule(form, form.fields.rule, async ({ id, rule, organizationId, projectId }) => {
    const isEnabled = form.fields.isOn === 'true'
    await updateAlertRule(form.services.store, {
      organizationId,
      projectId,
      ruleId: id,
      rule: { ...rule, isEnabled },
    })
    return done(isEnabled ? 'Rule enabled.' : 'Rule disabled.')
  }),
)

const noSuchRule = reject('This rule no longer exists.')

/** Also deletes a rule that this version cannot read. */
const remove = projectForm(v.object({ rule: rawText }), async ({ services, project, viewer, fields }) => {
  const reference = { organizationId: project.organizationId, ruleId: fields.rule }
  const scope = await findRuleScope(services.store.db, reference)
  if (scope === undefined || !canChange(viewer, scope)) return noSuchRule
  await deleteAlertRule(services.store, reference)
  return done('Rule deleted.')
})

const hours = v.pipe(
  rawText,
  v.transform(Number),
  v.number('Select a duration.'),
  v.minValue(1, 'Select a duration.'),
  v.maxValue(limits.alertMuteHours, 'Select a duration.'),
)
const muteName = nameText('Enter a reason, such as "Deploy".', limits.nameCharacters)

/** Mutes a rule, or without one the project. */
const mute = projectForm(v.object({ rule: rawText, hours, why: muteName }), async (form) => {
  const { services, project, viewer, fields } = form
  const until = services.clock() + fields.hours * hourMs
  const { organizationId } = project
  const common = { organizationId, userId: viewer.userId, name: fields.why, until }
  if (fields.rule !== '')
    return withRule(form, fields.rule, async ({ id }) => {
      await recordAlertMute(services.store, { ...common, ruleId: id })
      return done('Rule muted.')
    })
  await recordAlertMute(services.store, { ...common, projectId: project.id })
  return done('Alerts of the project muted.')
})

const unmute = projectForm(v.object({ rule: rawText }), async ({ services, project, fields }) => {
  const { organizationId, id: projectId } = project
  const subject = fields.rule === '' ? { organizationId, projectId } : { organizationId, ruleId: fields.rule }
  await deleteAlertMute(services.store, subject)
  return done('Mute ended.')
})

function scopeOf({ organizationId, id: projectId }: ProjectDetails, scope: string) {
  return scope === 'all' ? { organizationId } : { organizationId, projectId }
}

async function readForm(
  { services, project, fields }: ProjectCall & { fields: v.InferOutput<typeof ruleFormFields> },
  isEnabled: boolean,
): Promise<ReadRule> {
  const { store } = services
  const people = await listPeople(store, project)
  const read = readRuleFields(fields, { people, isEnabled })
  // The form has no other ids; a destination may have been deleted since it was opened.
  const unknown = read.ok && (await findUnknownReference(store.db, project.organizationId, read.rule))
  if (!unknown) return read
  const { field, problem: message } = unknown
  return { ok: false, problems: [{ field: field === 'actions' ? 'receivers' : field, message }] }
}

async function listPeople({ db }: Store, { organizationId, id }: ProjectDetails): Promise<MemberPerson[]> {
  const members = await listMembers(db, organizationId)
  return members.filter((member) => hasAccess(member, id)).map(toPerson)
}

interface MemberPerson extends FilterPerson {
  name: string
}

function hasAccess({ hasAccessToAll, projectIds }: MemberRecord, projectId: number): boolean {
  return hasAccessToAll || projectIds === undefined || projectIds.includes(projectId)
}

function toPerson({ userId, email, name }: MemberRecord): MemberPerson {
  return { userId, email: email.toLowerCase(), name }
}

/** Rules for all projects are changed by those who configure the organization: an admin does both. */
function canChange(viewer: Viewer, { projectId }: AlertScope): boolean {
  return projectId === undefined || projectsWith(viewer, 'configure').includes(projectId)
}

async function withRule(
  { services, project, viewer }: ProjectCall,
  ruleId: string,
  change: (rule: StoredRule) => Promise<FormOutcome>,
): Promise<FormOutcome> {
  const rules = await listAlertRules(services.store.db, project.organizationId)
  const rule = rules.find(({ id }) => id === ruleId)
  return rule === undefined || !canChange(viewer, rule) ? noSuchRule : change(rule)
}

/** The page "Alerts". Six statements, at the same time, and one more if a rule counts users. */
export const alertsPage = defineProjectPage({
  page: 'alerts',
  title: 'Alerts',
  permission: 'triage',
  view: async ({ services: { store, clock }, project }) => {
    const { organizationId, id: projectId } = project
    const now = clock()
    const [all, unreadable, mutes, people, destinations] = await Promise.all([
      listAlertRules(store.db, organizationId),
      listUnreadableRules(store.db, { organizationId, projectId }),
      listAlertMutes(store.db, { organizationId, now }),
      listPeople(store, project),
      listDestinationNames(store.db, organizationId),
    ])
    const names = new Map([...people.map(({ userId, name }) => [userId, name] as const), ...destinations])
    const rules = all.filter((rule) => rule.projectId === undefined || rule.projectId === projectId)
    const full = await listFullWindows(store.db, {
      projectId,
      thresholds: rules.flatMap(({ rule }) => rule.threshold ?? []),
      now,
    })
    return {
      rules: rules.map((rule) => toRuleView(rule, { mutes, people, names, full })),
      unreadable,
      destinations: [...destinations].map(([id, name]) => ({ id, name })),
      mute: toMuteView(mutes.find((each) => each.projectId === projectId)),
    }
  },
  forms: { add, save, try: tryRule, switch: toggle, delete: remove, mute, unmute },
})

function toRuleView(
  { id, rule, projectId }: StoredRule,
  {
    mutes,
    people,
    names,
    full,
  }: {
    mutes: readonly StoredMute[]
    people: readonly FilterPerson[]
    names: ReadonlyMap<string, string>
    full: ReadonlySet<number>
  },
): AlertRuleView {
  return {
    ...toRuleFields(rule, { people, isForAll: projectId === undefined }),
    id,
    sentence: formatRule(rule, names),
    isEnabled: rule.isEnabled,
    isFull: rule.threshold?.of === 'users' && full.has(rule.threshold.windowMs),
    mute: toMuteView(mutes.find(({ ruleId }) => ruleId === id)),
    mark: markOf(rule),
  }
}

function toMuteView(stored: StoredMute | undefined): AlertMuteView | undefined {
  return stored && { until: stored.until, name: stored.name }
}
