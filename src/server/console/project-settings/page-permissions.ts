import type { Permission } from '#server/auth/roles.ts'
import { projectPageNames, type ProjectPageName } from './page-names.ts'

/**
 * What opens each page of a project's settings. Everybody needs to know how to send events and who is in the
 * project; who works on issues needs to know why an event is missing or grouped as it is. The rest is for
 * those who can change it.
 */
const permissions: Record<ProjectPageName, Permission> = {
  general: 'read',
  setup: 'read',
  'source-maps': 'read',
  members: 'read',
  inbound: 'triage',
  scrubbing: 'triage',
  grouping: 'triage',
  limits: 'triage',
  keys: 'configure',
  upstreams: 'configure',
  danger: 'configure',
}

/** The pages that somebody with these permissions in a project can open. */
export function listOpenPages(isAllowed: (permission: Permission) => boolean): ProjectPageName[] {
  return projectPageNames.filter((name) => isAllowed(permissions[name]))
}
