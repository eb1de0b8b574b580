import * as v from 'valibot'
import { alertTransitions } from './transition.ts'
import type { AlertTransition } from './transition.ts'

/**
 * How a user is notified: `email` and `digest` include the inbox; `digest` collects for
 * `limits.alertDigestMs`.
 */
export const notificationWays = ['inbox', 'email', 'digest', 'none'] as const
export type NotificationWay = (typeof notificationWays)[number]

/** A transition, or every one. */
export const preferredTransition = v.picklist([...alertTransitions, 'any'])

/** The choices of a user. `projectId` 0: every project without its own choice. */
export interface NotificationPreference {
  projectId: number
  transition: v.InferOutput<typeof preferredTransition>
  way: NotificationWay
}

/**
 * Admins get troubles of each project, whether they asked for it or not: that must not fill their mailbox.
 */
function usualWay(transition: AlertTransition): NotificationWay {
  return transition === 'trouble' || transition === 'trouble_over' ? 'inbox' : 'email'
}

/** How a user is notified of a transition. Without a mail server `email` and `digest` mean the inbox. */
export function findWay(
  preferences: readonly NotificationPreference[],
  { projectId, transition, hasMail }: { projectId: number; transition: AlertTransition; hasMail: boolean },
): NotificationWay {
  const ofProject = preferences.find((each) => each.projectId === projectId && each.transition === 'any')
  const ofTransition = preferences.find((each) => each.projectId === 0 && each.transition === transition)
  const way = ofProject?.way ?? ofTransition?.way ?? usualWay(transition)
  return hasMail || way === 'none' ? way : 'inbox'
}
