import * as v from 'valibot'
import { alertTransitions } from './transition.ts'
import type { AlertTransition } from './transition.ts'

/**
 * How a person is told: `email` and `digest` are in the inbox, too; `digest` collects for
 * `limits.alertDigestMs`.
 */
export const notificationWays = ['inbox', 'email', 'digest', 'none'] as const
export type NotificationWay = (typeof notificationWays)[number]

/** A transition, or every one. */
export const preferredTransition = v.picklist([...alertTransitions, 'any'])

/** What a person has chosen. `projectId` 0: every project without a choice of its own. */
export interface NotificationPreference {
  projectId: number
  transition: v.InferOutput<typeof preferredTransition>
  way: NotificationWay
}

/** How a person is told about a transition. Without a mail server `email` and `digest` mean the inbox. */
export function findWay(
  preferences: readonly NotificationPreference[],
  { projectId, transition, hasMail }: { projectId: number; transition: AlertTransition; hasMail: boolean },
): NotificationWay {
  const ofProject = preferences.find((each) => each.projectId === projectId && each.transition === 'any')
  const ofTransition = preferences.find((each) => each.projectId === 0 && each.transition === transition)
  const way = ofProject?.way ?? ofTransition?.way ?? 'email'
  return hasMail || way === 'none' ? way : 'inbox'
}
