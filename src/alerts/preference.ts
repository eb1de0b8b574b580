import * as v from 'valibot'
import { alertTransitions, type AlertTransition } from './transition.ts'

/** How a user is notified: `email` and `digest` include the inbox; `digest` after `limits.alertDigestMs`. */
export const notificationWays = ['inbox', 'email', 'digest', 'none'] as const
export type NotificationWay = (typeof notificationWays)[number]

/** A transition, or every one. */
export const preferredTransition = v.picklist([...alertTransitions, 'any'])

/**
 * A preference of a user. `projectId` 0: for a kind of transition in all projects. Otherwise for a project:
 * with the transition `any`, `none` or the delivery of all kinds that the user gets by email; with another
 * transition, an exception.
 */
export interface NotificationPreference {
  projectId: number
  transition: v.InferOutput<typeof preferredTransition>
  way: NotificationWay
}

/** Admins get the ingest problems of all projects by default, which must not fill their mailbox. */
function usualWay(transition: AlertTransition): NotificationWay {
  return transition === 'trouble' || transition === 'trouble_over' ? 'inbox' : 'email'
}

/** True if the preference includes an email. */
export function isMail(way: NotificationWay): boolean {
  return way === 'email' || way === 'digest'
}

/** How a user is notified of a transition. Without a mail server `email` and `digest` mean the inbox. */
export function findWay(
  preferences: readonly NotificationPreference[],
  { projectId, transition, hasMail }: { projectId: number; transition: AlertTransition; hasMail: boolean },
): NotificationWay {
  const exception = preferences.find(
    (each) => projectId !== 0 && each.projectId === projectId && each.transition === transition,
  )
  const ofProject = preferences.find((each) => each.projectId === projectId && each.transition === 'any')
  const ofTransition = preferences.find((each) => each.projectId === 0 && each.transition === transition)
  const ofKind = ofTransition?.way ?? usualWay(transition)
  // The preference of a project never adds a kind that the user has disabled.
  const usual = ofProject?.way === 'none' || isMail(ofKind) ? (ofProject?.way ?? ofKind) : ofKind
  const way = exception?.way ?? usual
  return hasMail || way === 'none' ? way : 'inbox'
}
