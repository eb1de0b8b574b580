import { limits } from '#server/limits.ts'
import type { Connection } from '#server/store/engine/connection.ts'
import { parseProjectSettings } from '#server/store/projects/settings.ts'
import { isAlive } from './processes.ts'
import { parseSecretMark, secretMarkKey, type SecretMark } from './secret.ts'

/** Encrypted secrets of a project's issue tracker; empty if there are none. */
export interface SealedTrackerSecrets {
  projectId: number
  slug: string
  sealedToken: string
  sealedWebhookSecret: string
}

/** The state of an installation, read from its database. */
export interface InstallationHealth {
  /** The address that the server had at its last start. */
  publicOrigin?: string
  /** Created by Culvert if the operator has set none. */
  storedSecret?: string
  /** Of the server that started last. */
  secretMark: SecretMark
  /** The encrypted secret of the second factor of each account that has one. */
  sealedSecondFactors: string[]
  /** The running servers. Times are Unix milliseconds. */
  processes: { id: string; host: string; pid: number; version: string; seenAt: number }[]
  failingDestinations: { name: string; since: number }[]
  trackerSecrets: SealedTrackerSecrets[]
  deadLetterCount: number
  sourceMapUploadCount: number
  /** Uploads of source maps that were never stored completely. */
  brokenUploadCount: number
}

/** Reads the state without changing it. `now`: Unix milliseconds. */
export function readInstallationHealth(
  connection: Pick<Connection, 'prepare'>,
  now: number,
): InstallationHealth {
  const setting = (key: string) => {
    const value = connection.prepare('SELECT value FROM settings WHERE key = ?').get(key)?.['value']
    return typeof value === 'string' ? value : undefined
  }
  const count = (sql: string, ...values: number[]) =>
    Number(connection.prepare(sql).get(...values)?.['n'] ?? 0)
  const rows = (sql: string) => connection.prepare(sql).all()
  return {
    publicOrigin: setting('public_origin'),
    storedSecret: setting('auth_secret'),
    secretMark: parseSecretMark(setting(secretMarkKey)),
    sealedSecondFactors: rows(
      'SELECT f.secret FROM two_factors f JOIN users u ON u.id = f.user_id WHERE u.two_factor_enabled = 1',
    ).map((row) => String(row['secret'])),
    processes: rows('SELECT id, host, pid, version, seen_at FROM processes ORDER BY started_at, id')
      .map((row) => ({
        id: String(row['id']),
        host: String(row['host']),
        pid: Number(row['pid']),
        version: String(row['version']),
        seenAt: Number(row['seen_at']),
      }))
      .filter((process) => isAlive(process, now)),
    failingDestinations: rows(
      'SELECT name, failing_since FROM alert_destinations WHERE failing_since IS NOT NULL ORDER BY name',
    ).map((row) => ({ name: String(row['name']), since: Number(row['failing_since']) })),
    trackerSecrets: rows('SELECT id, slug, settings FROM projects ORDER BY slug').map((row) => {
      const { sealedToken, sealedWebhookSecret } = parseProjectSettings(String(row['settings'])).issueTracker
      return {
        projectId: Number(row['id']),
        slug: String(row['slug']),
        sealedToken,
        sealedWebhookSecret,
      }
    }),
    deadLetterCount: count('SELECT count(*) AS n FROM dead_letters'),
    sourceMapUploadCount: count('SELECT count(*) AS n FROM artifact_bundles WHERE is_complete = 1'),
    brokenUploadCount: count(
      'SELECT count(*) AS n FROM artifact_bundles WHERE is_complete = 0 AND uploaded_at < ?',
      now - limits.brokenUploadMs,
    ),
  }
}
