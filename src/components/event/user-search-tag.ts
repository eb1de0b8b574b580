import type { User } from '#protocol/event.ts'

/** The search tag for a user, in its most readable form; undefined without a user. */
export function userSearchTag(user: User | undefined): { key: string; value: string } | undefined {
  const names = [
    ['user.email', user?.email],
    ['user.username', user?.username],
    ['user.id', user?.id],
    ['user.ip', user?.ipAddress],
  ] as const
  for (const [key, value] of names) if (value !== undefined && value !== '') return { key, value }
  return undefined
}
