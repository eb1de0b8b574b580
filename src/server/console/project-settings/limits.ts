import * as v from 'valibot'
import { isTicked, text } from '#server/forms/fields.ts'
import type { FormProblem } from '#server/forms/form-views.ts'
import { reject } from '#server/forms/form.ts'
import { limits } from '#server/limits.ts'
import { defaultAddressLimits } from '#server/rate-limit/rate-limiter.ts'
import { defaultProjectSettings, type RateLimits } from '#server/store/projects/settings.ts'
import { countField } from './fields/count-field.ts'
import { limitRowFields, readLimitRows, toLimitRows } from './limit-rows.ts'
import { changeSettings, done, projectForm } from './project-form.ts'
import { defineProjectPage } from './project-page.ts'

const rateLimitFields = v.object({
  ...limitRowFields('project').entries,
  ...limitRowFields('key').entries,
  ...limitRowFields('address').entries,
  /** Whether each address has the default limits, none, or the ones in the rows. */
  addressLimits: v.pipe(text, v.picklist(['default', 'none', 'own'], 'Select an option.')),
})

const saveRateLimits = projectForm(rateLimitFields, async (form) => {
  const { addressLimits, ...rows } = form.fields
  const problems: FormProblem[] = []
  const read = (name: string): RateLimits => {
    const result = readLimitRows(rows, name)
    if (result.ok) return result.limits
    problems.push({ field: name, message: result.message })
    return {}
  }
  const [project, key, ownAddress] = [read('project'), read('key'), read('address')]
  if (problems.length > 0) return reject(problems)
  const address = addressLimits === 'own' ? ownAddress : {}
  const outdated = await changeSettings(form, 'rateLimits', () => ({
    project: { ...project },
    key: { ...key },
    // Absent for the default; empty for unlimited.
    ...(addressLimits !== 'default' && { address: { ...address } }),
  }))
  return outdated ?? done('Rate limits saved.')
})

const spikeProtectionFields = v.object({
  isOn: isTicked,
  fullEvents: countField(),
  windowSeconds: v.pipe(
    text,
    v.transform(Number),
    v.integer('Choose a time from the list.'),
    v.minValue(1, 'Choose a time from the list.'),
    v.maxValue(limits.settingsWindowSeconds, 'Choose a time from the list.'),
  ),
  sampleEvery: countField(),
})

const saveSpikeProtection = projectForm(
  spikeProtectionFields,
  async (form) =>
    (await changeSettings(form, 'spikeProtection', () => form.fields)) ?? done('Spike protection saved.'),
)

const retentionFields = v.object({ days: countField(limits.retentionMaxDays), events: countField() })

const saveRetention = projectForm(
  retentionFields,
  async (form) => (await changeSettings(form, 'retention', () => form.fields)) ?? done('Retention saved.'),
)

const problemMs = countField(limits.problemMaxMs)

const traceFields = v.object({
  mode: v.pipe(text, v.picklist(['off', 'figures', 'samples'], 'Select an option.')),
  megabytes: countField(limits.traceMaxMegabytes),
  apdexMs: problemMs,
})

const saveTraces = projectForm(
  traceFields,
  async (form) => (await changeSettings(form, 'traces', () => form.fields)) ?? done('Traces saved.'),
)

const problemCount = v.pipe(countField(limits.problemMaxCount), v.minValue(2, 'Enter 2 or more.'))

const performanceIssueFields = v.object({
  nPlusOneQueries: isTicked,
  nPlusOneQueryCount: problemCount,
  nPlusOneQueryMs: problemMs,
  slowQueries: isTicked,
  slowQueryMs: problemMs,
  nPlusOneRequests: isTicked,
  nPlusOneRequestCount: problemCount,
  nPlusOneRequestMs: problemMs,
})

const savePerformanceIssues = projectForm(performanceIssueFields, async (form) => {
  const { fields } = form
  const outdated = await changeSettings(form, 'performanceIssues', () => ({
    nPlusOneQueries: {
      isOn: fields.nPlusOneQueries,
      count: fields.nPlusOneQueryCount,
      totalMs: fields.nPlusOneQueryMs,
    },
    slowQueries: { isOn: fields.slowQueries, durationMs: fields.slowQueryMs },
    nPlusOneRequests: {
      isOn: fields.nPlusOneRequests,
      count: fields.nPlusOneRequestCount,
      totalMs: fields.nPlusOneRequestMs,
    },
  }))
  return outdated ?? done('Performance issues saved.')
})

/** The page "Limits and retention". One statement. */
export const limitsPage = defineProjectPage({
  page: 'limits',
  title: 'Limits and retention',
  permission: 'triage',
  view: ({ services, project }) => {
    const { rateLimits, spikeProtection, retention, traces, performanceIssues } = project.settings
    const { address } = rateLimits
    return {
      rateLimits: {
        project: toLimitRows(rateLimits.project),
        key: toLimitRows(rateLimits.key),
        address: toLimitRows(address ?? {}),
        addressLimits: addressLimitsOf(address),
      },
      defaultAddressLimits: toLimitRows(defaultAddressLimits),
      spikeProtection: { ...spikeProtection },
      defaultSpikeProtection: { ...defaultProjectSettings.spikeProtection },
      retention: { ...retention },
      defaultRetention: { ...defaultProjectSettings.retention },
      maxRetentionDays: limits.retentionMaxDays,
      traces: { ...traces },
      performanceIssues,
      defaultPerformanceIssues: defaultProjectSettings.performanceIssues,
      defaultTraceMegabytes: limits.traceMegabytes,
      defaultApdexMs: limits.apdexMs,
      maxBytes: services.env.maxBytes,
    }
  },
  forms: {
    limits: saveRateLimits,
    'spike-protection': saveSpikeProtection,
    retention: saveRetention,
    traces: saveTraces,
    'performance-issues': savePerformanceIssues,
  },
})

function addressLimitsOf(address: RateLimits | undefined): 'default' | 'none' | 'own' {
  if (address === undefined) return 'default'
  return Object.keys(address).length === 0 ? 'none' : 'own'
}
