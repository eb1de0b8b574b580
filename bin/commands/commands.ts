import type { Command } from './command.ts'

const help = async () => (await import('./help.ts')).help

/** Commands by name. Loaded on demand, because the server is too much code for printing a help text. */
export const commands: Record<string, () => Promise<Command>> = {
  help,
  '--help': help,
  '-h': help,
  start: async () => (await import('./start.ts')).start,
  migrate: async () => (await import('./migrate.ts')).migrate,
  copy: async () => (await import('./copy.ts')).copy,
  'retention show': async () => (await import('./retention/show.ts')).retentionShow,
  'retention set': async () => (await import('./retention/set.ts')).retentionSet,
  'retention run': async () => (await import('./retention/run.ts')).retentionRun,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  doctor: async () => (await import('./doctor.ts')).doctor,
  'dead-letters list': async () => (await import('./dead-letters/list.ts')).deadLettersList,
  'dead-letters retry': async () => (await import('./dead-letters/retry.ts')).deadLettersRetry,
  'dead-letters delete': async () => (await import('./dead-letters/delete.ts')).deadLettersDelete,
  'project add': async () => (await import('./projects/add.ts')).projectAdd,
  'key add': async () => (await import('./keys/add.ts')).keyAdd,
  'key list': async () => (await import('./keys/list.ts')).keyList,
  'key enable': async () => (await import('./keys/switch.ts')).keyEnable,
  'key disable': async () => (await import('./keys/switch.ts')).keyDisable,
  'limits show': async () => (await import('./limits/show.ts')).limitsShow,
  'limits set': async () => (await import('./limits/set.ts')).limitsSet,
  'user add': async () => (await import('./users/add.ts')).userAdd,
  'user reset-password': async () => (await import('./users/reset-password.ts')).userResetPassword,
  'user disconnect-provider': async () =>
    (await import('./users/disconnect-provider.ts')).userDisconnectProvider,
  'scrubbing show': async () => (await import('./scrubbing/show.ts')).scrubbingShow,
  'scrubbing set': async () => (await import('./scrubbing/set.ts')).scrubbingSet,
  'upstream add': async () => (await import('./upstreams/add.ts')).upstreamAdd,
  'upstream list': async () => (await import('./upstreams/list.ts')).upstreamList,
  'upstream remove': async () => (await import('./upstreams/remove.ts')).upstreamRemove,
  'upstream pause': async () => (await import('./upstreams/switch.ts')).upstreamPause,
  'upstream resume': async () => (await import('./upstreams/switch.ts')).upstreamResume,
  'upstream mode': async () => (await import('./upstreams/mode.ts')).upstreamMode,
  'project delete': async () => (await import('./projects/delete.ts')).projectDelete,
  'project list': async () => (await import('./projects/list.ts')).projectList,
}
