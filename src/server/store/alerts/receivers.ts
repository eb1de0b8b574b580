import { sql } from 'kysely'
import type { AlertSubject } from '#alerts/decide.ts'
import type { NotificationPreference } from '#alerts/preference.ts'
import type { AlertAction } from '#alerts/rule.ts'
import { isAllowed, parseRole } from '#server/auth/roles.ts'
import { hasAccessToOneOf } from '#server/store/accounts/access.ts'
import { resolveOwners, type ProjectOwnership } from '#server/store/projects/ownership.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { OwnershipSubject } from '#source-links/owners/ownership-rules.ts'
import { toPreference } from './preferences.ts'

/** All possible receivers of a project's rules. */
export interface AlertReceivers {
  /** Users with access to the project, with their preferences. */
  members: ReadonlyMap<string, readonly NotificationPreference[]>
  /** Members who are owners or admins. */
  adminIds: readonly string[]
  /** Enabled destinations, by id. */
  destinations: ReadonlyMap<string, { isMail: boolean }>
  /** Browsers of users, by user. */
  pushIds: ReadonlyMap<string, string[]>
}

/** The receivers of a project. Four statements in parallel. */
export async function readAlertReceivers(
  db: Db,
  { organizationId, projectId }: { organizationId: number; projectId: number },
): Promise<AlertReceivers> {
  const userRows = db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id', 'm.role'])
    .where('m.organization_id', '=', organizationId)
    .where(hasAccessToOneOf(sql`(${projectId})`))
    .execute()
  const destinationRows = db
    .selectFrom('alert_destinations')
    .select(['id', 'channel'])
    .where('organization_id', '=', organizationId)
    .where('disabled_at', 'is', null)
    .execute()
  const preferenceRows = db
    .selectFrom('notification_preferences')
    .selectAll()
    .where('project_id', 'in', [0, projectId])
    .execute()
  const browserRows = db
    .selectFrom('push_subscriptions as s')
    .innerJoin('memberships as m', 'm.user_id', 's.user_id')
    .select(['s.id', 's.user_id'])
    .where('m.organization_id', '=', organizationId)
    .execute()
  const [users, destinations, chosen, browsers] = await Promise.all([
    userRows,
    destinationRows,
    preferenceRows,
    browserRows,
  ])
  const preferences = Map.groupBy(chosen, ({ user_id }) => user_id)
  return {
    members: new Map(users.map(({ id }) => [id, (preferences.get(id) ?? []).flatMap(toPreference)])),
    adminIds: users.flatMap(({ id, role }) => (isAdmin(role) ? [id] : [])),
    destinations: new Map(destinations.map(({ id, channel }) => [id, { isMail: channel === 'email' }])),
    pushIds: new Map(
      [...Map.groupBy(browsers, ({ user_id }) => user_id)].map(([userId, rows]) => [
        userId,
        rows.map(({ id }) => id),
      ]),
    ),
  }
}

/** The users related to an issue. */
export interface IssuePeople {
  assigneeId: string | null
  /** Users who have commented. */
  commenterIds: readonly string[]
  /** Users who own the code of the event. */
  ownerIds: readonly string[]
  /** Users whom the comment mentions. */
  mentionedIds?: readonly string[] | undefined
  /** The user who caused the transition, who is not notified. */
  by?: string | undefined
}

/** The receivers of actions, each listed once. */
export function resolveActions(
  actions: readonly AlertAction[],
  { members, adminIds, destinations }: AlertReceivers,
  people: IssuePeople,
): { userIds: string[]; destinationIds: string[] } {
  const userIds = new Set<string>()
  const destinationIds = new Set<string>()
  const add = (id: string | null) => {
    if (id !== null && id !== people.by && members.has(id)) userIds.add(id)
  }
  for (const action of actions) {
    switch (action.kind) {
      case 'destination':
        if (destinations.has(action.id)) destinationIds.add(action.id)
        break
      case 'person':
        add(action.id)
        break
      case 'members':
        for (const id of members.keys()) add(id)
        break
      case 'participants':
        for (const id of people.commenterIds) add(id)
        add(people.assigneeId)
        break
      case 'mentioned':
        for (const id of people.mentionedIds ?? []) add(id)
        break
      case 'owners':
        for (const id of people.ownerIds) add(id)
        break
      case 'admins':
        for (const id of adminIds) add(id)
        break
      case 'assignee':
        add(people.assigneeId)
    }
  }
  return { userIds: [...userIds], destinationIds: [...destinationIds] }
}

/** The users who own the code of an event. */
export function findOwnerIds(
  ownership: ProjectOwnership | undefined,
  { tags, ...names }: Pick<OwnershipSubject, 'paths' | 'modules' | 'tags'>,
): string[] {
  const found = ownership && resolveOwners(ownership, { ...names, tags, url: tags['url'] })
  return (found?.owners ?? []).flatMap(({ user }) => user?.userId ?? [])
}

/** The users related to an issue in its current state. `by`: the user who caused the transition. */
export function toIssuePeople(
  { issueId, assigneeId, tags, path = '' }: AlertSubject & { issueId: number; assigneeId: string | null },
  {
    ownership,
    commenters,
    by,
    mentionedIds,
  }: {
    ownership?: ProjectOwnership | undefined
    commenters: ReadonlyMap<number, readonly string[]>
    by?: string | undefined
    mentionedIds?: readonly string[] | undefined
  },
): IssuePeople {
  const paths = path.split('\n').filter((each) => each !== '')
  const ownerIds = findOwnerIds(ownership, { tags, paths, modules: [] })
  return { assigneeId, commenterIds: commenters.get(issueId) ?? [], ownerIds, mentionedIds, by }
}

/** True for a role that receives messages about ingest. */
function isAdmin(text: string): boolean {
  const role = parseRole(text)
  return role !== undefined && isAllowed(role, 'configure')
}
