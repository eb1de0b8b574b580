import type { FormOutcome } from '#server/auth/page-form.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import type { ProjectLimitsView } from '#server/console/project-views.ts'
import { limits } from '#server/limits.ts'
import { formatLimits, formatSeconds, parseSeconds } from '#server/rate-limit/limit-text.ts'
import { defaultAddressLimits } from '#server/rate-limit/rate-limiter.ts'
import type { Services } from '#server/services.ts'
import { defaultProjectSettings } from '#server/store/project-settings.ts'
import { changeSettings } from './form-mark.ts'
import { parseLimitText } from './limit-field.ts'
import { getProjectPage } from './page.ts'
import { goToProject, refuseForm, type ProjectForm } from './post.ts'

/** The page "Limits and retention". One statement. */
export async function getLimitsView(
  services: Services,
  viewer: Viewer,
  slug: string,
): Promise<ProjectLimitsView> {
  const { project, view } = await getProjectPage(services, viewer, slug)
  const { rateLimits, spikeGuard, retention } = project.settings
  const { window, ...guard } = toGuardFields(spikeGuard)
  const standard = toGuardFields(defaultProjectSettings.spikeGuard)
  return {
    ...view,
    rateLimits: {
      project: formatLimits(rateLimits.project),
      key: formatLimits(rateLimits.key),
      address: rateLimits.address === undefined ? '' : formatLimits(rateLimits.address) || 'none',
    },
    defaultAddressLimit: formatLimits(defaultAddressLimits),
    spikeGuard: { ...guard, window },
    defaultSpikeGuard: standard,
    retention: { ...retention },
    defaultRetention: { ...defaultProjectSettings.retention },
    maxRetentionDays: limits.retentionMaxDays,
    maxBytes: services.env.maxBytes,
  }
}

function toGuardFields({
  isOn,
  fullEvents,
  windowSeconds,
  sampleEvery,
}: typeof defaultProjectSettings.spikeGuard) {
  return { isOn, fullEvents, window: formatSeconds(windowSeconds), sampleEvery }
}

type Problem = { field: string; message: string }

/** Saves how much may come in at once. */
export async function saveLimits(form: ProjectForm): Promise<FormOutcome> {
  const { project, fields } = form
  const problems: Problem[] = []
  const read = (field: string) => {
    const parsed = parseLimitText(fields[field] ?? '')
    if (parsed.ok) return parsed.limits
    problems.push({ field, message: parsed.problem })
    return {}
  }
  const [perProject, perKey, perAddress] = [read('project'), read('key'), read('address')]
  const hasAddressLimits = (fields['address'] ?? '').trim() !== ''
  if (problems.length > 0) return refuseForm(fields, problems)
  const stale = await changeSettings(form, 'rateLimits', () => ({
    project: { ...perProject },
    key: { ...perKey },
    // Nothing said is the default; "none" is no limit.
    ...(hasAddressLimits && { address: { ...perAddress } }),
  }))
  return stale ?? goToProject(project, 'limits')
}

/** Saves from when on events of an issue are only counted. */
export async function saveSpikeGuard(form: ProjectForm): Promise<FormOutcome> {
  const { project, fields } = form
  const problems: Problem[] = []
  const fullEvents = readCount(fields, 'fullEvents', problems)
  const sampleEvery = readCount(fields, 'sampleEvery', problems)
  const windowSeconds = parseSeconds(fields['window']?.trim() ?? '')
  if (windowSeconds === undefined)
    problems.push({ field: 'window', message: 'Write a time up to a day, such as 10min, hour or day.' })
  if (windowSeconds === undefined || problems.length > 0) return refuseForm(fields, problems)
  const isOn = fields['isOn'] !== undefined
  const guard = { isOn, fullEvents, windowSeconds, sampleEvery }
  return (await changeSettings(form, 'spikeGuard', () => guard)) ?? goToProject(project, 'limits')
}

/** Saves what is kept, and for how long. */
export async function saveRetention(form: ProjectForm): Promise<FormOutcome> {
  const { project, fields } = form
  const problems: Problem[] = []
  const days = readCount(fields, 'days', problems)
  const events = readCount(fields, 'events', problems)
  if (days > limits.retentionMaxDays)
    problems.push({ field: 'days', message: `Write at most ${limits.retentionMaxDays} days.` })
  if (problems.length > 0) return refuseForm(fields, problems)
  return (await changeSettings(form, 'retention', () => ({ days, events }))) ?? goToProject(project, 'limits')
}

function readCount(fields: Record<string, string>, field: string, problems: Problem[]): number {
  const text = fields[field]?.trim() ?? ''
  const count = Number(text)
  if (/^[1-9][0-9]{0,15}$/.test(text) && Number.isSafeInteger(count)) return count
  problems.push({ field, message: 'Write a whole number from 1.' })
  return 0
}
