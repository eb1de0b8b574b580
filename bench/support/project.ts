import { createProject } from '#server/store/projects/projects.ts'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import type { Store } from '#server/store/store.ts'

/** The key and id of the project that benchmarks send to. */
export const benchProject = { id: 42, publicKey: 'be'.repeat(16) } as const

/** Where to post envelopes of the benchmarks' project, as a browser's SDK writes it. */
export const benchEnvelopePath = toEnvelopePath(benchProject)

/** Where an OpenTelemetry exporter posts to; its key is a parameter, which such exporters support. */
export const benchOtlpPath = `/api/${benchProject.id}/integration/otlp/v1/traces?sentry_key=${benchProject.publicKey}`

type BenchProject = Readonly<{ id: number; publicKey: string }>

/** Where to post envelopes of a project. */
export function toEnvelopePath({ id, publicKey }: BenchProject): string {
  return `/api/${id}/envelope/?sentry_version=7&sentry_key=${publicKey}&sentry_client=bench%2F1`
}

/**
 * Creates the project of the benchmarks. One address sends everything, and every event is to be kept: no
 * limits.
 */
export async function createBenchProject(store: Store, project: BenchProject = benchProject): Promise<void> {
  await createProject(store, { name: 'bench', ...project })
  await updateProjectSettings(store, project.id, ({ rateLimits, spikeProtection, retention }) => ({
    rateLimits: { ...rateLimits, address: {} },
    spikeProtection: { ...spikeProtection, isOn: false },
    retention: { ...retention, events: Number.MAX_SAFE_INTEGER },
  }))
}
