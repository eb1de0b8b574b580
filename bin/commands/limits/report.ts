import { formatLimits as formatLimitList, formatSeconds } from '#server/rate-limit/limit-text.ts'
import { defaultAddressLimits } from '#server/rate-limit/rate-limiter.ts'
import type { KeyRow } from '#server/store/projects/key-changes.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import type { ProjectSettings, RateLimits } from '#server/store/projects/settings.ts'

/** Formats a project's limits, one per line, in the terms of `limits set`. */
export function toLimitsReport(
  project: ProjectName,
  { rateLimits, spikeProtection, allowedOrigins }: ProjectSettings,
  keys: readonly KeyRow[],
): string {
  const own = keys.filter(({ settings }) => Object.keys(settings.rateLimits).length > 0)
  const sampling =
    `the first ${spikeProtection.fullEvents} events of an issue per ${formatSeconds(spikeProtection.windowSeconds)} ` +
    `are stored, then one in ${spikeProtection.sampleEvery}`
  const lines: [string, string][] = [
    ['project', `${project.id} ${project.name}`],
    ['per project', formatLimits(rateLimits.project)],
    ['per key', formatLimits(rateLimits.key)],
    ...own.map(({ publicKey, settings }): [string, string] => [
      'one key',
      `${publicKey}: ${formatLimits(settings.rateLimits)}`,
    ]),
    ['per address', formatAddressLimits(rateLimits.address)],
    ['spike protection', spikeProtection.isOn ? sampling : 'off'],
    ['origins', allowedOrigins.length === 0 ? 'none' : allowedOrigins.join(' ')],
  ]
  return lines.map(([name, value]) => `${name.padEnd(16)}  ${value}\n`).join('')
}

function formatAddressLimits(limits: RateLimits | undefined): string {
  if (limits !== undefined) return formatLimits(limits)
  return `${formatLimits(defaultAddressLimits)}, except addresses of this machine`
}

function formatLimits(limits: RateLimits): string {
  return formatLimitList(limits) || 'no limit'
}
