import { resolve } from 'node:path'
import { hasInstallation } from '#server/data-dir/installation.ts'
import { openInstallation, requireInstallation } from '#server/data-dir/open-installation.ts'
import { requireEnv, toHttpOrigin } from '#server/env.ts'
import { ensureFirstProjects } from '#server/first-projects.ts'
import { findPublicOrigin } from '#server/store/installation/settings.ts'
import type { Store } from '#server/store/store.ts'
import type { CommandContext } from '../command.ts'

/** The store and origin for project commands. */
export interface ProjectStore {
  store: Store
  /** For DSNs: `CULVERT_ORIGIN`, otherwise the current, last or default address of the server. */
  origin: string
}

export interface ProjectStoreOptions {
  /** Creates a missing installation and prints its folder, instead of throwing an `OperatorError`. */
  createsInstallation?: boolean
  /**
   * Upgrades the schema of an existing database. Other commands must not: it may be in use by servers of an
   * earlier version.
   */
  upgradesSchema?: boolean
}

/** Opens the store for the duration of `work`. A running server may have it open, too. */
export async function withProjectStore<T>(
  context: CommandContext,
  work: (opened: ProjectStore) => Promise<T>,
  { createsInstallation = false, upgradesSchema = false }: ProjectStoreOptions = {},
): Promise<T> {
  const env = requireEnv(context.variables)
  const isNew = env.databaseUrl === undefined && !hasInstallation(env.dataDir)
  if (!createsInstallation) requireInstallation(env)
  const opened = await openInstallation(env, {
    setsDamageAside: false,
    schemaChanges: upgradesSchema ? 'all' : createsInstallation ? 'creation' : 'none',
    ...(upgradesSchema && { log: reportingLog(context) }),
  })
  const { store } = opened
  try {
    await ensureFirstProjects(store)
    if (isNew) context.report(`Created a new installation in ${resolve(env.dataDir)}.\n`)
    const origin = env.origin ?? (await findPublicOrigin(store.db)) ?? toHttpOrigin(env.host, env.port)
    return await work({ store, origin })
  } finally {
    await opened.close()
  }
}

/** Reports what a server would log as an error. */
function reportingLog({ report }: CommandContext) {
  const warn = (fields: object, message: string) =>
    report(`Warning: ${message}.\n  ${JSON.stringify(fields)}\n`)
  return { info: () => undefined, warn, error: warn }
}
