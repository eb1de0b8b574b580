import { accessSync, constants, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createMailSender } from '#server/alerts/channels/email/mail-sender.ts'
import { hasInstallation } from '#server/data-dir/installation.ts'
import type { Env } from '#server/env.ts'
import { isWritableFolder } from '#server/writable-folder.ts'
import { ok, problem, skipped, warning, type Check } from './check.ts'

/** The version that Culvert is tested with. */
const nodeMajor = 24

/** Checks the version of Node.js. */
export function checkNode(version: string): Check {
  const major = Number(version.split('.')[0])
  if (major >= nodeMajor) return ok('Node.js', version)
  return problem('Node.js', `${version} is too old`, `Install Node.js ${nodeMajor} or later.`)
}

/** Checks the rights of the data directory. Only for SQLite. */
export function checkDataDir({ dataDir, databaseUrl }: Env): Check {
  const name = 'Data directory'
  if (databaseUrl !== undefined) return skipped(name, 'the data is in PostgreSQL')
  const path = resolve(dataDir)
  if (!hasInstallation(dataDir))
    return problem(
      name,
      `no installation in ${path}`,
      'Set CULVERT_DATA_DIR to the directory of your installation, or start the server once.',
    )
  if (!isWritableFolder(path))
    return problem(
      name,
      `${path} is not writable for this account`,
      'Run as the account that owns it, or give that account the directory (chown).',
    )
  const file = join(path, 'culvert.db')
  if (!isUsable(file))
    return problem(
      name,
      `${file} is not readable and writable for this account`,
      'Run as the account that owns it.',
    )
  const others = (statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077
  if (others !== 0)
    return warning(
      name,
      `other accounts of this machine may read ${file}, with all events and the hashes of passwords`,
      `Run: chmod 600 ${file}`,
    )
  return ok(name, `${path}, readable for this account only`)
}

function isUsable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
    return true
  } catch {
    // A lost database is created again from the copy of the settings.
    return statSync(file, { throwIfNoEntry: false }) === undefined
  }
}

/** Connects to the mail server and signs in. Sends nothing. */
export async function checkMail({ mail }: Env): Promise<Check> {
  const name = 'Mail'
  if (mail === undefined)
    return warning(
      name,
      'not set up: alerts by mail and invitations by mail are not sent',
      'Set CULVERT_SMTP_URL and CULVERT_MAIL_FROM.',
    )
  const found = await createMailSender(mail).findProblem()
  if (found === undefined) return ok(name, `${mail.server.host}:${mail.server.port} accepts mail`)
  return problem(name, found, 'Check CULVERT_SMTP_URL: host, port, user and password.')
}

/** The secret from which keys are derived. */
export function checkSecret({ secret }: Env, storedSecret: string | undefined): Check {
  const name = 'Secret'
  if (secret !== undefined) return ok(name, 'CULVERT_SECRET is set')
  if (storedSecret === undefined) return skipped(name, 'made by the server when it first needs one')
  return ok(name, 'in the database, and so in its backups; CULVERT_SECRET is not set')
}
